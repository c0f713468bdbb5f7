fgtool version --features | grep -c '^pcre2: [0-9]'
