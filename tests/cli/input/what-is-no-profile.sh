say() { printf -- "$2" >"$1" && { fgtool info "$1" 2>&1 || echo "  $?"; }; }
say xz '\375''7zXZ\0'; say bzip2 'BZh91AY&SYxx'; say lz4 '\004\042\115\030'; say zip 'PK\003\004'; say zlib '\170\234\001'
say perf.data 'PERFILE2xxxxxxxx'; say hprof 'JAVA PROFILE 1.0.2\0'; say jfr 'FLR\0\0\2'; say trace 'go 1.22 trace\0\0\0'
say heap 'heap profile: 1: 2 [3: 4] @ heap/5\n'; say contention '--- contention:\ncycles/second=1\n'; say goroutines 'goroutine profile: total 9\n1 @ 0x1\n'
say dump 'goroutine 1 [running]:\nmain.main()\n'; say callgrind '# callgrind format\nevents: Ir\n'; say report '# To display the perf.data header info\n'
say script '#!/bin/sh\necho one\n'; say page '<html>\n<body>502</body></html>'; say svg '<?xml version="1.0"?>\n<svg>x</svg>'; say xml '<?xml version="1.0"?>\n<a>x</a>'
say speedscope '{"$schema":"https://www.speedscope.app/file-format-schema.json"}'; say chrome '{"traceEvents":[]}'; say json '[1,2]'; say perf 'x 1 2.3: 4 cycles:\n\t    ffff81 main+0x1 (/bin/x)\n\n'
say words 'once upon a time\n'; say blank ' \n \n'; say zeros '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'; say tar "$(printf 'x%.0s' $(seq 257))ustar"
