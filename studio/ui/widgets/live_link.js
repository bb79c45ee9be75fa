// The socket: keys out, frames in, newest first. Comes back by itself when it breaks.
class LiveLink {
  // `frame(picture, head)`, `told(message)`, `state(name)`: connecting, open, lost, closed, stale.
  constructor({ frame, told, state }) {
    Object.assign(this, { frame, told, state, seq: 0, tries: 0, busy: false, waiting: null, pressed: new Map() });
  }

  open(ticket) {
    this.close();
    this.ticket = ticket;
    this.wanted = true;
    this.state("connecting");
    const url = new URL(`live/ws?ticket=${encodeURIComponent(ticket)}`, document.baseURI);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = (this.socket = new WebSocket(url));
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => this.socket === socket && this.receive(event.data);
    socket.onopen = () => this.state("open");
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      clearInterval(this.pulse);
      if (event.code === 4401) return this.state("stale");
      if (!this.wanted || event.code === 4409 || event.code === 4403) return this.state("closed");
      this.state("lost");
      this.again = setTimeout(() => this.wanted && this.open(this.ticket), Math.min(4000, 250 * 2 ** this.tries++));
    };
    this.pulse = setInterval(() => this.send({ t: "here" }), 5000);
  }

  close() {
    this.wanted = false;
    clearTimeout(this.again);
    clearInterval(this.pulse);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  // `timed`: whether this key counts for the latency that is shown.
  input(keys, yaw, pitch, timed) {
    this.seq++;
    if (timed) this.pressed.set(this.seq, performance.now());
    this.send({ t: "input", seq: this.seq, keys, yaw, pitch });
  }

  async receive(data) {
    const length = new DataView(data).getUint16(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 2, length)));
    if (head.t !== "frame") return this.told(head);
    this.tries = 0;
    // Decoding takes a moment: of the frames that come meanwhile only the newest is kept.
    this.waiting = [head, new Blob([new Uint8Array(data, 2 + length)], { type: "image/png" })];
    if (this.busy) return;
    this.busy = true;
    while (this.waiting) {
      const [now, blob] = this.waiting;
      this.waiting = null;
      try {
        this.frame(await createImageBitmap(blob, { premultiplyAlpha: "premultiply" }), now);
      } catch {
        continue;
      }
    }
    this.busy = false;
  }

  // Milliseconds from a key to the first frame that knows of it, or null.
  answered(seq) {
    let spent = null;
    for (const [number, at] of this.pressed) if (number <= seq) {
      spent = performance.now() - at;
      this.pressed.delete(number);
    }
    return spent;
  }
}
