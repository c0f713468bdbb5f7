module example.com/golegacy

go 1.21
