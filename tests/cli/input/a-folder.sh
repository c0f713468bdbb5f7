mkdir profiles && fgtool info profiles
