"""An exact oracle for the race of shapes: distances of triangles in rational numbers, without a tree. It
shares no code with the library."""

import math
import struct
from fractions import Fraction

#: Slack of tests with floats, relative to the largest coordinate: far above its rounding.
SLACK = 1e-9
#: One of so many crossing pairs is computed exactly.
MANY = 4


class File:
    """A file of two shapes: triangles as corners, radii, margin, and poses of the frames."""

    def __init__(self, path):
        self.bytes, self.at = path.read_bytes(), 0
        if self.take("8sI") != (b"IMPSHAPE", 1):
            raise ValueError(f"{path}: not a file of shapes of version 1")
        self.take(f"{self.take('I')[0]}s")
        (self.margin,) = self.take("d")
        shapes = [self.shape(), self.shape()]
        self.triangles, self.radii = [of for of, _ in shapes], [radius for _, radius in shapes]
        (count,) = self.take("I")
        self.frames = [(self.take("12d"), self.take("12d")) for _ in range(count)]

    def take(self, form):
        found = struct.unpack_from(f"<{form}", self.bytes, self.at)
        self.at += struct.calcsize(f"<{form}")
        return found

    def shape(self):
        kind, radius, height, points, triangles = self.take("IddII")
        corners = [self.take("3d") for _ in range(points)]
        faces = [self.take("3I") for _ in range(triangles)]
        if kind == 0:
            return [((0.0, 0.0, 0.0),)], radius
        if kind == 1:
            return [((0.0, 0.0, -height / 2), (0.0, 0.0, height / 2))], radius
        return [tuple(corners[i] for i in face) for face in faces], 0.0


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def along(p, d, t):
    return (p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2])


def clamp(t):
    return min(max(t, 0), 1)


def of_segments(p, q, r, s):
    """Squared distance of two segments, which may be points. Exact for rationals, rounded for floats."""
    d, e, w = sub(q, p), sub(s, r), sub(p, r)
    a, b, c, f, g = dot(d, d), dot(d, e), dot(e, e), dot(d, w), dot(e, w)
    if a == 0:
        t, u = 0, (clamp(g / c) if c else 0)
    elif c == 0:
        t, u = clamp(-f / a), 0
    else:
        wide = a * c - b * b
        t = clamp((b * g - f * c) / wide) if wide else 0
        u = (b * t + g) / c
        if not 0 <= u <= 1:
            u = clamp(u)
            t = clamp((b * u - f) / a)
    between = sub(along(p, d, t), along(r, e, u))
    return dot(between, between)


def edges(corners):
    """Edges of a triangle; of a segment or a point, that itself."""
    if len(corners) < 3:
        return [(corners[0], corners[-1])]
    return [(corners[k], corners[(k + 1) % 3]) for k in range(3)]


def over(p, triangle, n):
    """True if the point's foot on the triangle's plane is in the triangle, of normal n."""
    return all(dot(cross(sub(b, a), sub(p, a)), n) >= 0 for a, b in edges(triangle))


def squared(one, other):
    """Squared distance of two points, segments or triangles: exact for rationals, rounded for floats."""
    least = min(of_segments(p, q, r, s) for p, q in edges(one) for r, s in edges(other))
    for triangle, rest in ((one, other), (other, one)):
        if len(triangle) < 3:
            continue
        n = cross(sub(triangle[1], triangle[0]), sub(triangle[2], triangle[0]))
        if n == (0, 0, 0):
            continue
        heights = [dot(n, sub(p, triangle[0])) for p in rest]
        for p, height in zip(rest, heights):
            if over(p, triangle, n):
                least = min(least, height * height / dot(n, n))
        for p, q in edges(rest):
            h, k = dot(n, sub(p, triangle[0])), dot(n, sub(q, triangle[0]))
            if h * k < 0 and over(along(p, sub(q, p), h / (h - k)), triangle, n):
                return 0
    return least


def place(pose, v):
    """R v + t, exactly for rationals, rounded for floats."""
    return tuple(sum(pose[3 * i + j] * v[j] for j in range(3)) + pose[9 + i] for i in range(3))


def balls(triangles):
    """Spheres round triangles: centre and radius, rounded."""
    made = []
    for corners in triangles:
        centre = tuple(sum(c[k] for c in corners) / len(corners) for k in range(3))
        made.append((centre, max(math.dist(centre, corner) for corner in corners)))
    return made


def check(file, frames, bounds):
    """A line for each result that exact numbers contradict. `bounds`: query -> two bounds of each frame."""
    spheres = [balls(of) for of in file.triangles]
    radius = sum(map(Fraction, file.radii))
    wrong = []
    for k in frames:
        (meets, _), (lo, hi), (near, _) = (bounds[q][k] for q in ("first contact", "distance", "within"))
        exact = distance(file, spheres, k, hi + float(radius))
        # Bodies that meet have no distance to compare: any two triangles that are near enough prove it.
        truth = exact is not None and exact <= radius**2
        if truth:
            right = meets == 1 and lo == hi == 0 and near == 1
        else:
            bounds = exact is not None and (lo + radius) ** 2 <= exact <= (hi + radius) ** 2
            is_near = exact is not None and exact <= (Fraction(file.margin) + radius) ** 2
            right = meets == 0 and bounds and bool(near) == is_near
        if not right:
            found = "beyond it" if exact is None else f"{math.sqrt(exact)!r}, less {float(radius)!r}"
            wrong.append(f"frame {k}: {meets:.0f}, {lo!r} to {hi!r}, {near:.0f}; exactly {found}")
    return wrong


def distance(file, spheres, k, most):
    """Squared distance of the triangles in a frame, exactly, if it is at most `most`, else None. Floats leave
    out pairs of triangles that are farther apart than others by far more than their rounding."""
    poses = file.frames[k]
    centres = [[(place(pose, c), r) for c, r in of] for pose, of in zip(poses, spheres)]
    slack = SLACK * max(most, *(abs(x) + r for of in centres for c, r in of for x in c))

    def placed(which, i):
        return tuple(place(poses[which], corner) for corner in file.triangles[which][i])

    chosen = [range(len(of)) for of in file.triangles]
    if min(map(len, chosen)) > 1:
        chosen = along_normal([[placed(k, i) for i in chosen[k]] for k in (0, 1)], most + slack)
    rounded = []
    for i in chosen[0]:
        (c, r), own = centres[0][i], placed(0, i)
        for j in chosen[1]:
            d, s = centres[1][j]
            if math.dist(c, d) - r - s <= most + slack:
                rounded.append((squared(own, placed(1, j)), i, j))
    nearest = math.sqrt(min(rounded)[0]) if rounded else math.inf
    exact = [[Fraction(x) for x in pose] for pose in poses]

    def corners(which, i):
        return [place(exact[which], [Fraction(x) for x in corner]) for corner in file.triangles[which][i]]

    some = sorted(pair for pair in rounded if math.sqrt(pair[0]) <= nearest + slack)
    # Many pairs that cross: one proves that the bodies meet.
    some = some[:1] if some and some[0][0] == 0 and len(some) > MANY else some
    return min((squared(corners(0, i), corners(1, j)) for _, i, j in some), default=None)


def along_normal(placed, most):
    """Triangles of each shape that may be within `most` of the other, by their reach along one normal of
    a triangle: the one that parts the shapes most."""
    best = None
    for which, sign in ((0, 1), (1, -1)):
        for triangle in placed[which]:
            n = cross(sub(triangle[1], triangle[0]), sub(triangle[2], triangle[0]))
            size = sign * math.sqrt(dot(n, n))
            if size == 0:
                continue
            n = tuple(x / size for x in n)
            greatest = max(dot(n, c) for t in placed[0] for c in t[:1])
            least = min(dot(n, c) for t in placed[1] for c in t[:1])
            best = max(best or (least - greatest, n), (least - greatest, n))
    _, n = best
    greatest = max(dot(n, c) for t in placed[0] for c in t)
    least = min(dot(n, c) for t in placed[1] for c in t)
    return [
        [i for i, t in enumerate(placed[0]) if max(dot(n, c) for c in t) >= least - most],
        [j for j, t in enumerate(placed[1]) if min(dot(n, c) for c in t) <= greatest + most],
    ]
