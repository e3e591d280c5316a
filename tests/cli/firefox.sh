#!/bin/sh
# Addresses in a file of samply's, named by the program itself, which is built here.
. "$(dirname "$0")/lib.sh"

for tool in cc nm readelf; do
	command -v $tool >/dev/null || {
		skip 'addresses in files of the Firefox Profiler' "no $tool here"
		plan
	}
done
cat >spin.c <<'END'
__attribute__((noinline)) int inner(int x)
{
	return x * 3 + 1;
}
__attribute__((noinline)) int outer(int x)
{
	return inner(x) + inner(x + 1);
}
int main(int argc, char **argv)
{
	(void)argv;
	return outer(argc) == 5;
}
END

# profile PROGRAM BUILD_ID: main calls outer calls inner, by their distance from the first segment.
profile() {
	base=$((0x$(readelf -lW "$1" | sed -n 's/^ *LOAD *[^ ]* *0x\([0-9a-f]*\) .*/\1/p' | head -n 1)))
	places=
	for name in main outer inner; do
		places=$places,$((0x$(nm "$1" | sed -n "s/ T $name\$//p") + 1 - base))
	done
	cat <<END
{"meta":{"interval":1,"version":24,"preprocessedProfileVersion":55},
"libs":[{"name":"$1","path":"$PWD/$1","codeId":"$2"}],
"threads":[{"name":"spin","pid":"1","tid":"1","stringArray":["0x1"],
"funcTable":{"name":[0,0,0],"resource":[0,0,0]},"resourceTable":{"lib":[0]},
"frameTable":{"func":[0,1,2],"address":[${places#,}]},
"stackTable":{"frame":[0,1,2],"prefix":[null,0,1]},
"samples":{"stack":[2],"time":[1]}}]}
END
}

build_id() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

# A program that is not loaded at 0, and code that is elsewhere in the file than in memory.
cc -g -O1 -Wl,--build-id=sha1 -o plain spin.c
cc -g -O1 -Wl,--build-id=sha1 -no-pie -fno-pie -o fixed spin.c
cc -g -O1 -Wl,--build-id=sha1 -Wl,--section-start=.text=0x305000 -o moved spin.c
for program in plain fixed moved; do
	profile $program "$(build_id $program)" >in.json
	run wick collapse in.json
	is "$out" 'spin;main;outer;inner 1' "$program: the program that was recorded names its addresses"
	is "$err" '' "$program: collapse prints no message"
done

profile plain "$(build_id fixed)" >in.json
run wick collapse in.json
is "$out" 'spin;[plain];[plain];[plain] 1' 'another program under its path names nothing'
like "$err" '3 addresses whose recorded files are needed to resolve them' 'reports addresses that need their recorded files'
run wick collapse --addrs in.json
like "$out" '^spin;\[plain <[0-9a-f]+>\];' '--addrs tells frames without symbols apart by their addresses'

# samply's names, in a file beside the profile
cat >samply.json <<'END'
{"meta":{"interval":1,"startTime":0,"preprocessedProfileVersion":55},
"libs":[{"name":"a.out","path":"/no/a.out","debugName":"a.out","codeId":"6326aa"},{"name":"b.so","path":"/no/b.so","codeId":"77bb"}],
"threads":[{"name":"t","pid":"1","tid":"1","stackTable":{"length":3,"prefix":[null,0,1],"frame":[0,1,2]},
"frameTable":{"length":3,"func":[0,1,2],"address":[20,24,20]},"funcTable":{"length":3,"name":[0,1,0],"resource":[0,0,1]},
"resourceTable":{"length":2,"lib":[0,1],"name":[0,0]},"stringArray":["0x14","0x18"],"samples":{"length":1,"stack":[2],"time":[1]}}]}
END
cat >samply.syms.json <<'END'
{"string_table":["UNKNOWN","main","run<T>"],"data":[
{"debug_name":"a.out","debug_id":"","code_id":"6326aa","symbol_table":[{"rva":16,"symbol":1},{"rva":22,"size":9,"symbol":2,"frames":[{"function":1}]}],"known_addresses":[[20,0],[24,1],[28,7]]},
{"debug_name":"b.so","debug_id":"","code_id":"77bb","known_addresses":[[20,0]],"symbol_table":[{"rva":16,"symbol":9}]}]}
END
run wick convert -q samply.json --to folded
is "$out" 't;main;run<T>;[b.so] 1' 'takes names from the .syms.json file of samply'
gzip samply.json
run wick convert -q samply.json.gz --to folded
is "$out" 't;main;run<T>;[b.so] 1' 'takes names from the .syms.json file beside a compressed profile'
echo '{"data": [' >samply.json.syms.json
run wick convert -q samply.json.gz --to folded
is "$status" 0 'reads a profile beside names that are cut short'
echo 'x' >samply.json.syms.json
run wick convert -q samply.json.gz --to folded
like "$err" 'samply.json.syms.json: line 1, column 1' 'names the .syms.json file that is malformed'
plan
