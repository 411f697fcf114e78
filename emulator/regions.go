package emulator

import (
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// WithRegions keeps regions apart from each other: a request that is signed for one of them sees the tables, keys,
// streams and alarms of that region only, and tables can have replicas in the others. us-east-1 is always one of them,
// and has all requests that are signed for a region that is not named. By default all requests share us-east-1. With
// WithIsolation every region is kept apart, whatever WithRegions names. Start fails with a [RegionError] if a name is
// not that of a region.
func WithRegions(names ...string) Option {
	return func(o *options) { o.regions = append(o.regions, names...) }
}

// RegionError reports a name that no region can have.
type RegionError struct{ Name string }

func (e *RegionError) Error() string {
	return fmt.Sprintf("%q is not the name of a region: use names such as eu-west-1", e.Name)
}

// regionName is the form of the names of regions.
var regionName = lazyregexp.New(`^[a-z]{2,4}(-[a-z]+)+-[0-9]{1,2}$`)

func checkRegions(names []string) error {
	for _, name := range names {
		if !regionName.MatchString(name) {
			return &RegionError{name}
		}
	}
	return nil
}

// spaces returns which requests have resources of their own.
func (o *options) spaces() accounts.Spaces {
	return accounts.Spaces{Isolate: o.isolate, Regions: o.regions}
}
