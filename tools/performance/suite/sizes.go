package suite

import (
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/measure"
	"github.com/tabletop-db/tabletop/tools/performance/server"
	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// sizes measures each server with tables of different sizes. The emulator has a process per size, and these take turns.
// Of the peers, only the memory with the largest table is measured.
func (o Options) sizes(r *Results, programs []*server.Program) error {
	for _, p := range programs {
		if p.Floor || len(o.Sizes) == 0 {
			continue
		}
		sizes := o.Sizes
		if p.Name != Emulator {
			sizes = sizes[len(sizes)-1:]
		}
		measured, err := o.serverSizes(p, sizes)
		if err != nil && p.Name == Emulator {
			return err
		}
		if err != nil {
			r.Broken = append(r.Broken, err.Error())
			continue
		}
		r.Sizes = append(r.Sizes, measured...)
	}
	return nil
}

// settling is how long a server may finish the work of its writes, before its memory is measured.
const settling = time.Second

func (o Options) serverSizes(p *server.Program, sizes []int) ([]Size, error) {
	var all []Size
	var servers []*server.Server
	defer func() {
		for _, s := range servers {
			s.Stop()
		}
	}()
	for _, items := range sizes {
		grown := *p
		grown.Service = func() *workload.Service { return workload.Grown(items) }
		s, err := grown.StartIn("")
		if err != nil {
			return nil, err
		}
		servers = append(servers, s)
		began := time.Now()
		if err := s.SetUp(); err != nil {
			return nil, err
		}
		size := Size{Server: p.Name, Items: items, Fill: float64(items) / time.Since(began).Seconds()}
		time.Sleep(settling)
		if size.ResidentBytes, err = s.ResidentBytes(); err != nil {
			return nil, err
		}
		all = append(all, size)
	}
	if p.Name != Emulator {
		return all, nil
	}
	results, err := measure.Interleave(servers, nil, false, o.Plan)
	if err != nil {
		return nil, err
	}
	for i, result := range results {
		size := &all[i%len(all)]
		size.Results = append(size.Results, result)
	}
	return all, nil
}
