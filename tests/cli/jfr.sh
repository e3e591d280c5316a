#!/bin/sh
# Recordings of JDK Flight Recorder: files made byte by byte, and one of a JDK.
. "$(dirname "$0")/lib.sh"

for kind in plain fixed; do
	python3 "$tests/cli/jfr.py" $kind.jfr $kind
	run wick convert $kind.jfr --to csv
	is "$out" 'event,unit,weight,samples,time,end,thread,pid,tid,labels,source,stack
jdk.ExecutionSample,samples,1,1,1700000000000010000,,main,,101,,sampled,org.acme.Main.main;org.acme.Main.café
jdk.ExecutionSample,samples,1,1,1700000000000030000,,main,,101,,sampled,org.acme.Main.main;org.acme.Main.café
jdk.ExecutionSample,samples,1,1,1700000000000020000,,Thread-1,,102,,sampled,[truncated];org.acme.Main.main
jdk.ObjectAllocationSample,bytes,4096,1,1700000000000040000,,main,,101,,sampled,org.acme.Main.main;org.acme.Main.café
jdk.ThreadPark,ns,250000,1,1700000000000050000,1700000000000300000,Thread-1,,102,,measured,org.acme.Main.main;org.acme.Main.café' \
		"reads samples, allocations and waits of a recording with $kind numbers"
	is "$err" 'wick: standard output: csv cannot hold which calls are inlined, source lines' "reports only what CSV cannot hold of a recording with $kind numbers"
done
python3 "$tests/cli/jfr.py" chained.jfr chained
run_sh 'wick convert -q chained.jfr --to folded'
is "$out" 'Thread-1;[truncated];org.acme.Main.main 2
main;org.acme.Main.main;org.acme.Main.café 4' 'reads two chunks, and constants of several checkpoints'
run_sh 'gzip -c chained.jfr | wick convert -q - --to folded'
is "$(echo "$out" | wc -l)" 2 'reads a compressed recording from a pipe'
run wick collapse --all plain.jfr
like "$out" 'café_\[[ij]\]' 'marks compiled and inlined methods'
python3 "$tests/cli/jfr.py" async.jfr async
run_sh 'wick convert -q async.jfr --to csv | cut -d, -f1-4,7,12'
is "$out" 'event,unit,weight,samples,thread,stack
profiler.WallClockSample,samples,7,1,main,org.acme.Main.main;org.acme.Main.café
profiler.Malloc,bytes,4096,1,main,org.acme.Main.main;org.acme.Main.café
jdk.ObjectAllocationInNewTLAB,bytes,524288,1,main,org.acme.Main.main;org.acme.Main.café
profiler.LiveObject,bytes,32,1,Thread-1,org.acme.Main.main;org.acme.Main.café' \
	'reads wall clock samples, native and Java allocations and live objects of async-profiler'
python3 "$tests/cli/jfr.py" instant.jfr instant
run_sh 'wick convert -q instant.jfr --to csv | cut -d, -f1-4,7'
is "$out" 'event,unit,weight,samples,thread
jdk.JavaExceptionThrow,samples,1,1,main
jdk.JavaExceptionThrow,samples,1,1,main
jdk.ThreadPark,ns,250000,1,Thread-1' 'counts exceptions, whose duration is 0, beside waits'
for how in json xml; do
	case $how in
	json)
		cat >instant.json <<'END'
{"recording": {"events": [{"type": "jdk.JavaExceptionThrow", "values": {"startTime": "2026-11-18T14:20:18.09Z", "duration": "PT0S",
"eventThread": {"javaName": "main"}, "stackTrace": {"truncated": false, "frames": [{"method": {"type": {"name": "T"}, "name": "main"}}]}}}]}}
END
		;;
	xml)
		cat >instant.xml <<'END'
<?xml version="1.0"?>
<recording><events><event type="jdk.JavaExceptionThrow"><value name="startTime">2026-11-18T14:20:18.09Z</value><value name="duration">PT0S</value>
<struct name="eventThread"><value name="javaName">main</value></struct><struct name="stackTrace"><array name="frames"><struct index="0">
<struct name="method"><struct name="type"><value name="name">T</value></struct><value name="name">main</value></struct></struct></array></struct></event></events></recording>
END
		;;
	esac
	run wick collapse instant.$how
	is "$out" 'main;T.main 1' "counts an exception of jfr print --$how, whose duration is 0"
done
python3 "$tests/cli/jfr.py" nothing.jfr nothing
run wick convert nothing.jfr --to folded
is "$status" 1 'rejects a recording without samples'
head -c 2000 chained.jfr >cut.jfr
run wick convert cut.jfr --to folded
is "$status" 0 'reads the complete chunks of a truncated recording'
like "$err" '1 truncated input' 'reports that a recording is truncated'
head -c 100 plain.jfr >short.jfr
run wick convert short.jfr --to folded
is "$status" 1 'rejects a recording of which only the header is there'

if ! command -v javac >/dev/null || ! command -v jfr >/dev/null; then
	skip 'reads what a JDK records' 'no JDK here'
	plan
fi
cat >Busy.java <<'END'
public class Busy {
	static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	public static void main(String[] a) throws Exception {
		long s = 0, end = System.nanoTime() + 1_000_000_000L;
		while (System.nanoTime() < end)
			s += fib(25);
		for (int i = 0; i < 5; i++)
			java.util.concurrent.locks.LockSupport.parkNanos(30_000_000L);
		System.out.println(s);
	}
}
END
javac Busy.java
java -XX:StartFlightRecording=filename=busy.jfr,settings=profile -cp . Busy >/dev/null 2>&1
for event in jdk.ExecutionSample jdk.ThreadPark; do
	jfr print --stack-depth 64 --events $event busy.jfr >busy.txt
	printed=$(grep -c "^$event {" busy.txt)
	is "$(wick convert -q busy.jfr -e $event --to csv | grep -c "^$event,")" "$printed" "counts as many $event events as jfr print"
	is "$(wick convert -q busy.jfr -e $event --to folded | sed 's/ [0-9]*$//')" "$(wick convert -q busy.txt --to folded | sed 's/ [0-9]*$//')" \
		"has the same stacks of $event as jfr print"
	for how in json xml; do
		jfr print --$how --stack-depth 64 --events $event busy.jfr >busy.$how
		is "$(wick convert -q busy.$how --to csv)" "$(wick convert -q busy.jfr -e $event --to csv | grep "^event\\|^$event,")" \
			"reads the same $event events from jfr print --$how"
	done
done
plan
