// The world behind the character: parallax layers drawn for a camera, as docs/live.md and the scene format say.
// A scene is {width, height, ground, layers: [{picture, factor, loops, x, y, width, mirror}]}; null is the meadow.
const Scene = {
  current: null,
  ground: 0.8, // share of the view's height where soles stand; the artist drags it

  // One picture: as high as the view, every second copy mirrored, so that no seam shows.
  fromPicture: (picture) => ({ width: picture.width, height: picture.height, ground: null,
    layers: [{ picture, factor: 1, loops: true, x: 0, y: 0, width: picture.width, mirror: true }] }),

  // The files of a scene folder, chosen together.
  async fromFiles(files) {
    const named = Object.fromEntries([...files].map((file) => [file.name, file]));
    const open = (file) => createImageBitmap(file);
    if (!named["scene.json"]) return Scene.fromPicture(await open(files[0]));
    const about = JSON.parse(await named["scene.json"].text());
    const layers = [];
    for (const layer of about.layers || []) {
      const file = named[layer.file];
      if (!file || /[\\/]/.test(layer.file)) continue;
      const picture = await open(file);
      layers.push({ ...layer, picture, width: picture.width, factor: Math.min(1, Math.max(0, Number(layer.factor) || 0)) });
    }
    if (!layers.length || !(about.height > 0)) throw new Error("scene");
    return { width: about.width, height: about.height, ground: about.ground / about.height, layers };
  },

  // cx: camera in view pixels along the plane of factor 1.
  draw(pen, wide, high, cx, seconds) {
    const scene = Scene.current;
    if (!scene) return meadow(pen, wide, high, cx, seconds);
    const scale = high / scene.height;
    pen.imageSmoothingEnabled = scale < 2;
    for (const layer of scene.layers) {
      const period = layer.width * scale, top = layer.y * scale, tall = layer.picture.height * scale;
      const left = layer.x * scale - layer.factor * cx;
      const from = layer.loops ? Math.floor(-left / period) : 0, to = layer.loops ? Math.floor((wide - left) / period) : 0;
      for (let k = from; k <= to; k++) {
        const x = Math.floor(left + k * period), over = Math.ceil(period) + 1;
        if (layer.mirror && k % 2) {
          pen.save();
          pen.translate(x + over, 0);
          pen.scale(-1, 1);
          pen.drawImage(layer.picture, 0, top, over, tall);
          pen.restore();
        } else pen.drawImage(layer.picture, x, top, over, tall);
      }
    }
  },
};

// Hills whose outline repeats, so that any stretch of ground looks the same each time one passes it.
const ridge = (pen, wide, high, base, tall, offset, length, colour) => {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(0, high);
  for (let x = 0; x <= wide + 8; x += 8) {
    const at = ((x + offset) / length) * Math.PI * 2;
    pen.lineTo(x, base - tall * (0.5 + 0.28 * Math.sin(at) + 0.16 * Math.sin(2 * at + 1.3) + 0.06 * Math.sin(5 * at)));
  }
  pen.lineTo(wide, high);
  pen.fill();
};

const cloud = (pen, x, y, size) => {
  pen.beginPath();
  for (const [dx, dy, r] of [[-0.9, 0.1, 0.42], [-0.35, -0.18, 0.6], [0.3, -0.08, 0.52], [0.85, 0.12, 0.36]]) {
    pen.moveTo(x + dx * size + r * size, y + dy * size);
    pen.ellipse(x + dx * size, y + dy * size, r * size, r * size * 0.72, 0, 0, 7);
  }
  pen.roundRect(x - 1.2 * size, y, 2.4 * size, 0.4 * size, 0.2 * size);
  pen.fill();
};

// The built-in scene: a meadow under clouds that move by themselves.
const meadow = (pen, wide, high, cx, seconds) => {
  const floor = high * Scene.ground, wrap = (value, period) => ((value % period) + period) % period;
  const sky = pen.createLinearGradient(0, 0, 0, floor);
  sky.addColorStop(0, "#5f86b8");
  sky.addColorStop(0.65, "#a9c2d6");
  sky.addColorStop(1, "#e6dcc6");
  pen.fillStyle = sky;
  pen.fillRect(0, 0, wide, high);
  pen.fillStyle = "rgba(255,255,255,.62)";
  const span = wide + high;
  for (let k = 0; k < 6; k++) {
    const size = high * (0.055 + 0.018 * ((k * 7) % 4));
    cloud(pen, wrap(k * span / 6 - cx * (0.04 + 0.01 * (k % 3)) - seconds * 6, span) - high / 2, high * (0.1 + 0.07 * ((k * 5) % 4)), size);
  }
  ridge(pen, wide, high, floor, high * 0.34, cx * 0.12, high * 2.1, "#93aebd");
  ridge(pen, wide, high, floor, high * 0.2, cx * 0.3 + 300, high * 1.5, "#7d9f92");
  ridge(pen, wide, high, floor + 2, high * 0.09, cx * 0.6 + 90, high * 0.9, "#648765");
  const turf = pen.createLinearGradient(0, floor, 0, high);
  turf.addColorStop(0, "#587a4a");
  turf.addColorStop(1, "#3a5238");
  pen.fillStyle = turf;
  pen.fillRect(0, floor - 6, wide, high);
  pen.strokeStyle = "#476540";
  pen.lineWidth = 2;
  pen.beginPath();
  const gap = high * 0.11;
  for (let x = -wrap(cx, gap) - gap; x < wide + gap; x += gap) {
    const id = Math.round((x + cx) / gap), side = ((id * 37) % 11) / 11 * gap, down = 8 + ((((id * 53) % 17) + 17) % 17) / 17 * (high - floor - 24);
    for (const lean of [-4, 0, 5]) {
      pen.moveTo(x + side, floor + down);
      pen.lineTo(x + side + lean, floor + down - 9);
    }
  }
  pen.stroke();
};
