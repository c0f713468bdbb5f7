fgtool top --by funktion x.pb
