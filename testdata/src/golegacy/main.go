// SPDX-License-Identifier: MIT

// Writes the profiles of this process as text (debug=1): golegacy FOLDER. See
// ../../README.md.
package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

var kept [][]byte

//go:noinline
func load(size int) []byte {
	return make([]byte, size)
}

//go:noinline
func hold(lock *sync.Mutex, rounds int) {
	for i := 0; i < rounds; i++ {
		lock.Lock()
		time.Sleep(time.Millisecond)
		lock.Unlock()
	}
}

//go:noinline
func wait(stop chan struct{}) {
	<-stop
}

func main() {
	var lock sync.Mutex
	var group sync.WaitGroup
	stop := make(chan struct{})

	runtime.MemProfileRate = 4096
	runtime.SetMutexProfileFraction(5)
	runtime.SetBlockProfileRate(1)
	for i := 0; i < 200; i++ {
		block := load(1024 << (i % 4))
		if i%5 == 0 {
			kept = append(kept, block)
		}
	}
	for i := 0; i < 4; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			hold(&lock, 30)
		}()
	}
	group.Wait()
	labels := pprof.Labels("route", "/items", "worker", "7")
	pprof.Do(context.Background(), labels, func(context.Context) {
		for i := 0; i < 3; i++ {
			go wait(stop)
		}
	})
	time.Sleep(20 * time.Millisecond)
	runtime.GC()
	for _, kind := range []string{"heap", "goroutine", "threadcreate", "block", "mutex"} {
		out, err := os.Create(filepath.Join(os.Args[1], "go-"+kind+".txt"))
		if err != nil {
			panic(err)
		}
		if err := pprof.Lookup(kind).WriteTo(out, 1); err != nil {
			panic(err)
		}
		if err := out.Close(); err != nil {
			panic(err)
		}
	}
	close(stop)
}
