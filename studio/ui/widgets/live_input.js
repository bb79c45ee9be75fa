// Keys, pads and fingers as one byte. `event.code` is the place on the keyboard, so WASD is WASD on every layout.
class LiveInput {
  static names = ["forward", "left", "back", "right", "jump", "run", "attack", "hurt"];
  static usual = { KeyW: "forward", ArrowUp: "forward", KeyA: "left", ArrowLeft: "left", KeyS: "back", ArrowDown: "back", KeyD: "right",
    ArrowRight: "right", Space: "jump", ShiftLeft: "run", ShiftRight: "run", KeyJ: "attack", KeyK: "hurt" };
  static place = "sprightly.live.keys";

  // `changed()` is called whenever byte, yaw or pitch are others than before.
  constructor(stage, changed) {
    this.codes = new Set();
    this.touched = new Set();
    this.padded = 0;
    this.yaw = this.pitch = this.byte = 0;
    this.stage = stage;
    this.changed = changed;
    this.map = LiveInput.stored();
    stage.addEventListener("keydown", (event) => this.key(event, true));
    stage.addEventListener("keyup", (event) => this.key(event, false));
    stage.addEventListener("blur", () => this.release());
    stage.addEventListener("pointermove", (event) => this.look(event));
    document.addEventListener("visibilitychange", () => document.hidden && this.release());
    window.addEventListener("blur", () => this.release());
  }

  static stored() {
    try {
      const kept = Object.entries(JSON.parse(localStorage.getItem(LiveInput.place)) || {});
      const good = kept.filter(([code, name]) => /^\w+$/.test(code) && LiveInput.names.includes(name));
      return good.length ? Object.fromEntries(good) : { ...LiveInput.usual };
    } catch {
      return { ...LiveInput.usual };
    }
  }

  // The one key of an action from now on; null: all as they came.
  assign(name, code) {
    if (!name) this.map = { ...LiveInput.usual };
    else this.map = Object.fromEntries([...Object.entries(this.map).filter(([other, held]) => held !== name && other !== code), [code, name]]);
    localStorage.setItem(LiveInput.place, JSON.stringify(this.map));
    this.release();
  }

  key(event, down) {
    if (event.code === "Escape") return this.stage.blur();
    if (!this.map[event.code] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    down ? this.codes.add(event.code) : this.codes.delete(event.code);
    this.tell();
  }

  touch(name, down) {
    down ? this.touched.add(name) : this.touched.delete(name);
    this.tell();
  }

  // Dragging looks around: a tenth of a degree a pixel.
  look(event) {
    if (!(event.buttons & 1) || event.pointerType === "touch") return;
    this.yaw = Math.max(-300, Math.min(300, this.yaw + event.movementX));
    this.pitch = Math.max(-100, Math.min(300, this.pitch - event.movementY));
    this.changed();
  }

  release() {
    this.codes.clear();
    this.touched.clear();
    this.padded = this.yaw = this.pitch = 0;
    this.tell();
  }

  // Called once a drawn frame: gamepads have no events.
  pads() {
    if (document.activeElement !== this.stage) return;
    let byte = 0;
    for (const pad of navigator.getGamepads?.() || []) {
      if (!pad?.connected) continue;
      const on = (number) => pad.buttons[number]?.pressed, [x = 0, y = 0] = pad.axes;
      const held = [y < -0.5 || on(12), x < -0.35 || on(14), y > 0.5 || on(13), x > 0.35 || on(15), on(0), on(5) || on(7), on(2), on(3)];
      held.forEach((down, bit) => { byte |= down ? 1 << bit : 0; });
    }
    if (byte !== this.padded) {
      this.padded = byte;
      this.tell();
    }
  }

  tell() {
    let byte = this.padded;
    for (const name of [...this.touched, ...[...this.codes].map((code) => this.map[code])]) byte |= 1 << LiveInput.names.indexOf(name);
    if (byte === this.byte && this.yaw === this.toldYaw && this.pitch === this.toldPitch) return;
    [this.byte, this.toldYaw, this.toldPitch] = [byte, this.yaw, this.pitch];
    this.changed();
  }
}
