"""Analytic orthographic z-buffer: every solid met by a ray per pixel inside its bounding box. Compiled by numba.

Pixel space: x right, y down, z towards the viewer, all in pixels. Rays run along -z.
"""

from __future__ import annotations

import numpy as np
from numba import njit

CAPSULE, ELLIPSOID, BOX, CONE = 0, 1, 2, 3
FAR = np.float32(-1e9)


@njit(cache=True, fastmath=True)
def _hit_capsule(px, py, a, b, ra, rb):  # type: ignore[no-untyped-def] # numba infers the types
    """Nearest z and normal on a round cone (Quilez, "round cone intersection")."""
    bax, bay, baz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    oax, oay, oaz = px - a[0], py - a[1], -a[2]
    obx, oby, obz = px - b[0], py - b[1], -b[2]
    rr = ra - rb
    m0 = bax * bax + bay * bay + baz * baz
    d2 = m0 - rr * rr
    m3, m5 = -oaz, oax * oax + oay * oay + oaz * oaz
    m6, m7 = -obz, obx * obx + oby * oby + obz * obz
    if d2 > 1e-6:
        m1 = bax * oax + bay * oay + baz * oaz
        m2 = -baz
        k2 = d2 - m2 * m2
        k1 = d2 * m3 - m1 * m2 + m2 * rr * ra
        k0 = d2 * m5 - m1 * m1 + m1 * rr * ra * 2 - m0 * ra * ra
        h = k1 * k1 - k0 * k2
        if h >= 0 and abs(k2) > 1e-9:
            t = (-np.sqrt(h) - k1) / k2
            y = m1 - ra * rr + t * m2
            if 0 < y < d2:
                nx, ny, nz = d2 * oax - bax * y, d2 * oay - bay * y, d2 * (oaz - t) - baz * y
                length = np.sqrt(nx * nx + ny * ny + nz * nz)
                return True, -t, nx / length, ny / length, nz / length
    best, found, nx, ny, nz = FAR, False, 0.0, 0.0, 1.0
    h1 = m3 * m3 - m5 + ra * ra
    if h1 > 0:
        t = -m3 - np.sqrt(h1)
        best, found = -t, True
        nx, ny, nz = oax / ra, oay / ra, (oaz - t) / ra
    h2 = m6 * m6 - m7 + rb * rb
    if h2 > 0:
        t = -m6 - np.sqrt(h2)
        if -t > best:
            best, found = -t, True
            nx, ny, nz = obx / rb, oby / rb, (obz - t) / rb
    return found, best, nx, ny, nz


@njit(cache=True, fastmath=True)
def _hit_unit(kind, o, d, taper):  # type: ignore[no-untyped-def] # numba infers the types
    """Nearest ray parameter and local normal on the unit sphere, cube, or cone -1 <= y <= 1."""
    if kind == ELLIPSOID:
        a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
        b = o[0] * d[0] + o[1] * d[1] + o[2] * d[2]
        h = b * b - a * (o[0] * o[0] + o[1] * o[1] + o[2] * o[2] - 1)
        if h < 0:
            return False, 0.0, 0.0, 0.0, 0.0
        t = (-b - np.sqrt(h)) / a
        return True, t, o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]
    if kind == BOX:
        near, far, axis = -1e18, 1e18, 0
        for i in range(3):
            if abs(d[i]) < 1e-12:
                if abs(o[i]) > 1:
                    return False, 0.0, 0.0, 0.0, 0.0
                continue
            t0, t1 = (-1 - o[i]) / d[i], (1 - o[i]) / d[i]
            if t0 > t1:
                t0, t1 = t1, t0
            if t0 > near:
                near, axis = t0, i
            far = min(far, t1)
        if near > far:
            return False, 0.0, 0.0, 0.0, 0.0
        sign = -1.0 if d[axis] > 0 else 1.0
        return True, near, sign * (axis == 0), sign * (axis == 1), sign * (axis == 2)
    found, best, nx, ny, nz = False, 1e18, 0.0, 0.0, 0.0
    slope = (taper - 1) / 2
    r0, rd = 1 + slope * (o[1] + 1), slope * d[1]
    a = d[0] * d[0] + d[2] * d[2] - rd * rd
    b = o[0] * d[0] + o[2] * d[2] - r0 * rd
    h = b * b - a * (o[0] * o[0] + o[2] * o[2] - r0 * r0)
    if h >= 0 and abs(a) > 1e-12:
        t = (-b - np.sqrt(h)) / a
        y = o[1] + t * d[1]
        if -1 <= y <= 1:
            found, best = True, t
            nx, ny, nz = o[0] + t * d[0], -slope * (r0 + t * rd), o[2] + t * d[2]
    if abs(d[1]) > 1e-12:
        for end in (-1.0, 1.0):
            t = (end - o[1]) / d[1]
            x, z = o[0] + t * d[0], o[2] + t * d[2]
            radius = 1.0 if end < 0 else taper
            if t < best and x * x + z * z <= radius * radius:
                found, best, nx, ny, nz = True, t, 0.0, end, 0.0
    return found, best, nx, ny, nz


@njit(cache=True, fastmath=True)
def rasterise(kind, a, b, radii, inverse, box, taper, size):  # type: ignore[no-untyped-def] # numba infers the types
    """z (S, S) with FAR where empty, solid number (S, S) or -1, unit normals (S, S, 3), for one frame of P solids.

    kind (P,), a and b (P, 3) centres or ends, radii (P, 2), inverse (P, 3, 3) pixel space to the unit solid,
    box (P, 4) left, top, right, bottom (exclusive) in pixels, taper (P,).
    """
    depth = np.full((size, size), FAR, np.float32)
    owner = np.full((size, size), -1, np.int16)
    normal = np.zeros((size, size, 3), np.float32)
    o, d = np.zeros(3), np.zeros(3)
    for p in range(len(kind)):
        left, top = max(0, box[p, 0]), max(0, box[p, 1])
        right, bottom = min(size, box[p, 2]), min(size, box[p, 3])
        for i in range(3):
            d[i] = -inverse[p, i, 2]
        for row in range(top, bottom):
            for column in range(left, right):
                x, y = column + 0.5, row + 0.5
                if kind[p] == CAPSULE:
                    found, z, nx, ny, nz = _hit_capsule(x, y, a[p], b[p], radii[p, 0], radii[p, 1])
                    if not found or z <= depth[row, column]:
                        continue
                else:
                    for i in range(3):
                        o[i] = (
                            inverse[p, i, 0] * (x - a[p, 0])
                            + inverse[p, i, 1] * (y - a[p, 1])
                            - inverse[p, i, 2] * a[p, 2]
                        )
                    found, t, lx, ly, lz = _hit_unit(kind[p], o, d, taper[p])
                    z = -t
                    if not found or z <= depth[row, column]:
                        continue
                    nx = inverse[p, 0, 0] * lx + inverse[p, 1, 0] * ly + inverse[p, 2, 0] * lz
                    ny = inverse[p, 0, 1] * lx + inverse[p, 1, 1] * ly + inverse[p, 2, 1] * lz
                    nz = inverse[p, 0, 2] * lx + inverse[p, 1, 2] * ly + inverse[p, 2, 2] * lz
                    length = np.sqrt(nx * nx + ny * ny + nz * nz) + 1e-12
                    nx, ny, nz = nx / length, ny / length, nz / length
                depth[row, column], owner[row, column] = z, p
                normal[row, column, 0], normal[row, column, 1], normal[row, column, 2] = nx, ny, nz
    return depth, owner, normal


@njit(cache=True)
def outline(depth, owner, rgb, paint, width, step):  # type: ignore[no-untyped-def] # numba infers the types
    """Draws lines into `rgb` (S, S, 3) and returns the solid (S, S) that each pixel, lines included, belongs to.

    A pixel is line where within `width` pixels something stands at least `step` pixels nearer to the viewer: around the
    silhouette, and inside where depth drops. `paint` (P, 3) is the line colour of each solid.
    """
    size = len(depth)
    belongs = owner.copy()
    for row in range(size):
        for column in range(size):
            own = depth[row, column]
            nearest, who = own, owner[row, column]
            for y in range(max(0, row - width), min(size, row + width + 1)):
                for x in range(max(0, column - width), min(size, column + width + 1)):
                    near = depth[y, x]
                    if near > nearest and (y - row) ** 2 + (x - column) ** 2 <= width * width + 1:
                        nearest, who = near, owner[y, x]
            if who >= 0 and nearest - own > step:
                belongs[row, column] = who
                for i in range(3):
                    rgb[row, column, i] = paint[who, i]
    return belongs


@njit(cache=True)
def resolve(rgb, owner, samples, parts):  # type: ignore[no-untyped-def] # numba infers the types
    """uint8 (S, S, 4) and part numbers int16 (S, S) from `samples` x `samples` samples a pixel; -1 is empty.

    Averages covered samples only, so that edges carry no dark fringe.
    """
    size = len(rgb) // samples
    frame = np.zeros((size, size, 4), np.uint8)
    labels = np.full((size, size), -1, np.int16)
    for row in range(size):
        for column in range(size):
            red = green = blue = 0.0
            covered = 0
            for y in range(row * samples, (row + 1) * samples):
                for x in range(column * samples, (column + 1) * samples):
                    if owner[y, x] >= 0:
                        covered += 1
                        red, green, blue = red + rgb[y, x, 0], green + rgb[y, x, 1], blue + rgb[y, x, 2]
                        labels[row, column] = parts[owner[y, x]]
            if covered:
                frame[row, column, 0] = np.uint8(red / covered * 255 + 0.5)
                frame[row, column, 1] = np.uint8(green / covered * 255 + 0.5)
                frame[row, column, 2] = np.uint8(blue / covered * 255 + 0.5)
                frame[row, column, 3] = np.uint8(covered / (samples * samples) * 255 + 0.5)
    return frame, labels
