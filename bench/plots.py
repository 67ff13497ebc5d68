"""Small plots in SVG, with nothing but the standard library: lines over two logarithmic axes."""

import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 360, 64, 180, 36, 44
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f"]


def number(value):
    """A number as people write it: 1, 20, 3 k, 10 M."""
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if value >= unit:
            return f"{value / unit:g}{name}"
    return f"{value:g}"


def decades(least, most):
    return [10.0**power for power in range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)]


def plot(title, across, up, lines):
    """`lines`: a name and points each. What a picture shows is also in its title, for those who cannot see it."""
    points = [point for _, line in lines for point in line if point[1] > 0]
    least_x, most_x = min(x for x, _ in points), max(x for x, _ in points)
    ticks = decades(min(y for _, y in points), max(y for _, y in points))
    ticks = ticks if len(ticks) > 1 else [ticks[0], ticks[0] * 10]
    span_x = math.log(most_x / least_x) or 1.0
    span_y = math.log(ticks[-1] / ticks[0])

    def place(x, y):
        return (
            LEFT + math.log(x / least_x) / span_x * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - math.log(y / ticks[0]) / span_y * (HEIGHT - TOP - BOTTOM),
        )

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="12" role="img">',
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="20" font-size="14">{title}</text>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{across}</text>',
        f'<text x="14" y="{(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" '
        f'transform="rotate(-90 14 {(TOP + HEIGHT - BOTTOM) / 2})">{up}</text>',
    ]
    for tick in ticks:
        _, y = place(least_x, tick)
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{number(tick)}</text>')
    for x in sorted({x for x, _ in points}):
        left, y = place(x, ticks[0])
        out.append(f'<text x="{left:.1f}" y="{y + 16:.1f}" text-anchor="middle">{number(x)}</text>')
    for index, (name, line) in enumerate(lines):
        colour = COLOURS[index % len(COLOURS)]
        places = [place(x, y) for x, y in line if y > 0]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
        out.append(f'<text x="{WIDTH - RIGHT + 10}" y="{TOP + 14 + index * 18}" fill="{colour}">{name}</text>')
    return "\n".join([*out, "</svg>", ""])
