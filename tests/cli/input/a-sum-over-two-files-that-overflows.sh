echo 'main;work 9223372036854775807' >a && echo 'main;work 1' >b && fgtool digest a b
