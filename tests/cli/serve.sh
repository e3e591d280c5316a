#!/bin/sh
# wick serve: who gets the files, and what hostile requests do.
. "$(dirname "$0")/lib.sh"

printf 'main;a 1\nmain;b 2\n' >in.folded
printf 'int f(int x)\n{\n\treturn x * x;\n}\n' >'f.c'
# With lines, as `go tool pprof -raw` prints them
cat >in.txt <<END
PeriodType: samples count
Samples:
samples/count
          2: 1 2
          1: 2
Locations
     1: 0x1000 M=1 f(int) $PWD/f.c:3 s=0
     2: 0x2000 M=1 main /nowhere/main.c:9 s=0
Mappings
END
run wick serve
is "$status" 2 'rejects a command without a file'
run wick serve --port 70000 in.folded
is "$status" 2 'rejects a port that is too large'
run wick serve --ui perfetto --port 8000 in.folded
like "$err" '--ui perfetto requires port 9001' 'rejects another port for Perfetto'
run wick serve missing.folded
is "$status" 1 'fails if the file is missing'

mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR
: >urls
wick serve --ui speedscope in.txt >urls 2>messages &
server=$!
trap 'kill $server 2>/dev/null; chmod -R u+rwx "$scratch"; rm -rf "$scratch"' EXIT
tries=0
until [ "$(wc -l <urls)" -ge 2 ] || [ $tries -ge 600 ]; do
	kill -0 $server 2>/dev/null || break
	tries=$((tries + 1))
	sleep 0.1
done
url=$(sed -n 1p urls)
like "$url" '^http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}/$' 'prints a URL of this machine, with a token'
like "$(sed -n 2p urls)" '^https://www\.speedscope\.app/#profileURL=http%3A%2F%2F127\.0\.0\.1%3A' 'prints the URL of the viewer'

cat >ask.py <<'END'
import socket, sys, urllib.parse
url = urllib.parse.urlsplit(sys.argv[1])
at, path = (url.hostname, url.port), url.path

def ask(request):
    with socket.create_connection(at) as s:
        s.sendall(request.encode('latin-1'))
        data = b''
        try:
            while part := s.recv(65536):
                data += part
        except ConnectionResetError:
            pass
    head, _, body = data.partition(b'\r\n\r\n')
    return head.decode('latin-1').split('\r\n'), body

def get(target, host=None, method='GET', more=''):
    return ask(f'{method} {target} HTTP/1.1\r\nHost: {host or "%s:%d" % at}\r\n{more}\r\n')

def check(title, found, want):
    print(('ok' if found == want else f'not ok: {found}') + ' - ' + title)

status = lambda answer: answer[0][0].split(' ')[1] if answer[0][0] else ''
head = lambda answer, name: [l.split(': ', 1)[1] for l in answer[0] if l.startswith(name + ': ')]
other = 'Origin: https://example.com\r\n'
viewer = 'Origin: https://www.speedscope.app\r\n'
page = get(path)
check('serves the page', (status(page), b'<html' in page[1], len(page[1])), ('200', True, int(head(page, 'Content-Length')[0])))
check('sends no body for HEAD', (status(get(path, method='HEAD')), get(path, method='HEAD')[1]), ('200', b''))
profile = get(path + 'profile.speedscope.json', more=viewer)
check('lets the viewer fetch the profile', (status(profile), head(profile, 'Access-Control-Allow-Origin'), b'"$schema"' in profile[1]),
      ('200', ['https://www.speedscope.app'], True))
check('answers what the viewer asks before', status(get(path + 'profile.speedscope.json', method='OPTIONS', more=viewer)), '204')
check('refuses the profile to another site', status(get(path + 'profile.speedscope.json', more=other)), '403')
check('refuses the page to the viewer', status(get(path, more=viewer)), '403')
check('refuses another host name', status(get(path, host='example.com')), '403')
check('refuses a wrong token', status(get('/' + '0' * 32 + '/')), '404')
check('refuses a path without a token', status(get('/')), '404')
check('refuses a path that leaves the folder', status(get(path + '../../etc/passwd')), '404')
check('refuses other methods', status(get(path, method='DELETE')), '405')
check('refuses what is no request', status(ask('hello\r\n\r\n')), '400')
check('refuses two hosts', status(ask(f'GET {path} HTTP/1.1\r\nHost: {at[0]}:{at[1]}\r\nHost: b\r\n\r\n')), '400')
check('refuses a head that is too long', status(ask('GET / HTTP/1.1\r\nX: ' + 'a' * 8192)) in ('400', ''), True)
source = get(path + 'source?f%28int%29')
check('shows the source of a function', (status(source), head(source, 'Content-Type'), b'66.67 % self' in source[1], b'return x * x;' in source[1]),
      ('200', ['text/plain; charset=utf-8'], True, True))
check('says what a source has', int(head(source, 'Content-Length')[0]), len(source[1]))
check('shows lines without their source', b'main.c' in get(path + 'source?main')[1], True)
check('shows no source of what the profile does not have', b'no source lines' in get(path + 'source?/etc/passwd')[1], True)
check('answers a question that is no name', [status(get(path + q)) for q in ('source', 'source?', 'source?%', 'source?%4', 'source?%zz%00%ff')], ['200'] * 5)
check('refuses the source to the viewer', status(get(path + 'source?f', more=viewer)), '403')
check('refuses the source without a token', status(get('/source?f')), '404')
idle = [socket.create_connection(at) for _ in range(20)]
check('serves others while connections are idle', status(get(path)), '200')
END
python3 ask.py "$url" >answers 2>&1
while read -r line; do
	is "${line%% - *}" ok "${line#* - }"
done <answers
kill -INT $server
wait $server
is $? 0 'wick serve exits with 0 after Ctrl-C'
is "$(ls tmp)" '' 'leaves no file behind'
plan
