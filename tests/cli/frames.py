"""What an SVG shows: python3 frames.py FILE prints its title and one line a frame.

A line is `depth begin-end title`, begin and end in percent of the root, in the order of the picture.  The title
is `name (numbers)`; in wick's own pictures the numbers come first, and the name is in the line below.
It is an error when the file is not well-formed, or has an element that could run something.
"""
import re
import signal
import sys
import xml.etree.ElementTree as ET


def local(tag):
    return tag.rsplit('}', 1)[-1]


def is_ours(root, e):
    """The one script that wick writes: the last element, behind the data, without attributes."""
    last = list(root)[-2:]
    return (local(e.tag) == 'script' and e is last[-1] and not e.attrib and last[0].get('id') == 'wick' and
            re.match(r'/\*sha256-[\w+/=]+\*/\{const [\w=,.]+;\(async\(\)=>', e.text) is not None)


def plain(text):
    """Text of ASCII alone; a blank that no line is broken at is a blank."""
    return re.sub(r'[^ -~]', lambda m: f'\\u{ord(m[0]):04x}', text.replace('\u00a0', ' '))


def main(path, colors):
    root = ET.parse(path).getroot()
    frames = []
    for e in root.iter():
        if local(e.tag) in ('script', 'foreignObject', 'iframe') and not is_ours(root, e):
            sys.exit(f'{path}: there is a <{local(e.tag)}>')
        if e.get('id') in ('title', 'subtitle', 'details') and local(e.tag) == 'text' and e.text:
            print(f"{e.get('id')}: {plain(''.join(e.itertext()))}")
        kids = {local(k.tag): k for k in e}
        if local(e.tag) in ('g', 'a') and 'rect' in kids and 'title' in kids:
            x, y, width = (float(kids['rect'].get(a).rstrip('%')) for a in ('x', 'y', 'width'))
            text = re.sub(r'^([^\n]*)\n(.*)', r'\2 (\1)', kids['title'].text or '', flags=re.S)
            color = kids['rect'].get('class') or kids['rect'].get('fill')
            frames.append((y, x, x + width, text, color, e))
    all_of_it = next((f for f in frames if f[3].startswith('all (')), None)
    if all_of_it is None:
        return
    scale = 100 / all_of_it[2]
    rows = sorted({f[0] for f in frames}, key=lambda y: abs(y - all_of_it[0]))
    for y, begin, end, text, fill, e in sorted(frames, key=lambda f: (rows.index(f[0]), f[1])):
        link = ''.join(f' <{v}>' for k, v in e.attrib.items() if local(k) == 'href')
        text = plain(text)
        print(f'{rows.index(y)} {begin * scale:.0f}-{end * scale:.0f} {text}{link}{" " + fill if colors else ""}')


signal.signal(signal.SIGPIPE, signal.SIG_DFL)
main(sys.argv[-1], '--colors' in sys.argv)
