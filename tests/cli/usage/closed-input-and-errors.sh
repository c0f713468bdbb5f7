fgtool version <&- 2>&- | grep -c fgtool
