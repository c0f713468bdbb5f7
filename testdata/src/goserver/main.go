/* SPDX-License-Identifier: MIT */

// Goserver is the program that testdata's Go profiles were recorded from: an
// order service in one process, without a network. Workers take requests off a
// queue and parse, price, hash, compress and count them.
//
//	goserver -out DIR            CPU profile of 2 s, then one of every other kind
//	goserver -out DIR -after     CPU profile only, of the service after a change:
//	                             orders are decoded into a struct, not into maps
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/pprof"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

const workerCount = 4

type item struct {
	SKU   string  `json:"sku"`
	Count int     `json:"count"`
	Price float64 `json:"price"`
	Note  string  `json:"note"`
}

type order struct {
	ID       int    `json:"id"`
	Customer string `json:"customer"`
	Items    []item `json:"items"`
}

type request struct {
	route string
	body  []byte
}

// stats is shared by all workers under one lock: the contention that the mutex
// and block profiles show.
type stats struct {
	mu     sync.Mutex
	totals map[string]float64
	served map[string]int
}

// cache keeps every answer for some time: what the heap profiles show growing.
type cache struct {
	mu      sync.RWMutex
	answers map[string][]byte
}

type server struct {
	fast  bool
	stats stats
	cache cache
	queue chan request
	done  sync.WaitGroup
}

var writers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

var skuPattern = regexp.MustCompile(`^([A-Z]{2})-(\d+)-([a-z]+)$`)

func main() {
	out := flag.String("out", ".", "directory the profiles go to")
	after := flag.Bool("after", false, "run the changed service, CPU profile only")
	seconds := flag.Float64("seconds", 2, "length of the CPU profile")
	flag.Parse()

	runtime.SetBlockProfileRate(10000)
	runtime.SetMutexProfileFraction(5)

	s := newServer(*after)
	s.start()
	stop := make(chan struct{})
	go s.produce(stop)

	name := "go-cpu.pb.gz"
	if *after {
		name = "go-cpu-after.pb.gz"
	}
	recordCPU(filepath.Join(*out, name), *seconds)

	if !*after {
		writeProfile("heap", filepath.Join(*out, "go-heap-1.pb.gz"))
		time.Sleep(time.Duration(*seconds * float64(time.Second)))
		writeProfile("heap", filepath.Join(*out, "go-heap-2.pb.gz"))
		for _, kind := range []string{"allocs", "block", "mutex", "goroutine", "threadcreate"} {
			writeProfile(kind, filepath.Join(*out, "go-"+kind+".pb.gz"))
		}
	}
	close(stop)
	s.done.Wait()
}

func newServer(fast bool) *server {
	return &server{
		fast:  fast,
		stats: stats{totals: map[string]float64{}, served: map[string]int{}},
		cache: cache{answers: map[string][]byte{}},
		queue: make(chan request, 64),
	}
}

// start runs the workers, each under a label of its own.
func (s *server) start() {
	for i := 0; i < workerCount; i++ {
		s.done.Add(1)
		labels := pprof.Labels("worker", strconv.Itoa(i))
		go pprof.Do(context.Background(), labels, s.work)
	}
}

func (s *server) work(ctx context.Context) {
	defer s.done.Done()
	for r := range s.queue {
		pprof.Do(ctx, pprof.Labels("route", r.route), func(context.Context) {
			s.handle(r)
		})
	}
}

func (s *server) produce(stop chan struct{}) {
	routes := []string{"/order", "/order", "/order", "/report", "/search"}
	for i := 0; ; i++ {
		r := request{route: routes[i%len(routes)], body: makeOrder(i)}
		select {
		case s.queue <- r:
		case <-stop:
			close(s.queue)
			return
		}
	}
}

// makeOrder writes the JSON of order i without encoding/json.
func makeOrder(i int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"id":%d,"customer":"customer-%d","items":[`, i, i%997)
	for j := 0; j < 40; j++ {
		if j > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"sku":"AB-%d-blue","count":%d,"price":%d.25,"note":"leave at the door, item %d"}`,
			(i*31+j*7)%5000, 1+j%5, 1+(i+j)%90, j)
	}
	b.WriteString("]}")
	return b.Bytes()
}

func (s *server) handle(r request) {
	switch r.route {
	case "/order":
		s.handleOrder(r.body)
	case "/report":
		s.handleReport(r.body)
	case "/search":
		s.handleSearch(r.body)
	}
	s.stats.countServed(r.route)
}

func (s *server) handleOrder(body []byte) {
	o := s.decode(body)
	s.stats.addTotal(o.Customer, priceOf(o))
	s.cache.put(digest(body), compress(body))
}

func (s *server) handleReport(body []byte) {
	o := s.decode(body)
	sort.Slice(o.Items, func(i, j int) bool {
		return lineValue(o.Items[i]) > lineValue(o.Items[j])
	})
	var b strings.Builder
	for _, it := range o.Items {
		fmt.Fprintf(&b, "%-16s %4d %10.2f %s\n", it.SKU, it.Count, it.Price, it.Note)
	}
	s.cache.put(digest([]byte(b.String())), compress([]byte(b.String())))
}

func (s *server) handleSearch(body []byte) {
	o := s.decode(body)
	quick(o.Items)
	for _, it := range o.Items {
		if m := skuPattern.FindStringSubmatch(it.SKU); m != nil {
			s.cache.get(m[2])
		}
	}
}

func (s *server) decode(body []byte) order {
	if s.fast {
		return decodeStruct(body)
	}
	return decodeMaps(body)
}

// decodeMaps is the slow path that -after does without: generic maps first,
// and every number through its text.
func decodeMaps(body []byte) order {
	var raw map[string]any
	check(json.Unmarshal(body, &raw))
	o := order{ID: toInt(raw["id"]), Customer: raw["customer"].(string)}
	for _, v := range raw["items"].([]any) {
		m := v.(map[string]any)
		o.Items = append(o.Items, item{
			SKU:   m["sku"].(string),
			Count: toInt(m["count"]),
			Price: m["price"].(float64),
			Note:  m["note"].(string),
		})
	}
	return o
}

func decodeStruct(body []byte) order {
	var o order
	check(json.Unmarshal(body, &o))
	return o
}

func toInt(v any) int {
	n, err := strconv.ParseFloat(fmt.Sprint(v), 64)
	check(err)
	return int(n)
}

func lineValue(it item) float64 {
	return float64(it.Count) * it.Price
}

func priceOf(o order) float64 {
	total := 0.0
	for _, it := range o.Items {
		total += lineValue(it)
	}
	return total
}

// quick sorts by note, then SKU. It calls itself: recursion for the reports.
func quick(items []item) {
	if len(items) < 2 {
		return
	}
	pivot, last := items[len(items)/2], len(items)-1
	items[len(items)/2], items[last] = items[last], items[len(items)/2]
	split := 0
	for i := range items[:last] {
		if before(items[i], pivot) {
			items[i], items[split] = items[split], items[i]
			split++
		}
	}
	items[split], items[last] = items[last], items[split]
	quick(items[:split])
	quick(items[split+1:])
}

func before(a, b item) bool {
	if c := strings.Compare(strings.ToUpper(a.Note), strings.ToUpper(b.Note)); c != 0 {
		return c < 0
	}
	return a.SKU < b.SKU
}

func digest(body []byte) string {
	sum := sha256.Sum256(body)
	for i := 0; i < 20; i++ {
		sum = sha256.Sum256(append(sum[:], body...))
	}
	return hex.EncodeToString(sum[:])
}

func compress(body []byte) []byte {
	var b bytes.Buffer
	w := writers.Get().(*gzip.Writer)
	defer writers.Put(w)
	w.Reset(&b)
	_, err := w.Write(body)
	check(err)
	check(w.Close())
	return b.Bytes()
}

func (st *stats) addTotal(customer string, value float64) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.totals[customer] += value
	st.rank()
}

func (st *stats) countServed(route string) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.served[route]++
}

// rank finds the best customer; too much work for a lock that all workers need.
func (st *stats) rank() string {
	best := ""
	for name, total := range st.totals {
		if total > st.totals[best] {
			best = name
		}
	}
	return best
}

func (c *cache) put(key string, answer []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers[key] = answer
}

func (c *cache) get(key string) []byte {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.answers[key]
}

func recordCPU(path string, seconds float64) {
	f, err := os.Create(path)
	check(err)
	check(pprof.StartCPUProfile(f))
	time.Sleep(time.Duration(seconds * float64(time.Second)))
	pprof.StopCPUProfile()
	check(f.Close())
}

func writeProfile(kind, path string) {
	f, err := os.Create(path)
	check(err)
	runtime.GC()
	check(pprof.Lookup(kind).WriteTo(f, 0))
	check(f.Close())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
