package control

import (
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The provisioned throughput of a table or an index can be decreased four times in a UTC day, and then once an hour
// ("Quotas in Amazon DynamoDB"; message and times as observed on AWS in 2026-10).
const (
	freeDecreases   = 4
	decreaseSeconds = 3600
)

// decreasedToday returns how often the throughput was decreased on the UTC day of now.
func decreasedToday(u engine.Throughput, now float64) int64 {
	if dayOf(u.LastDecrease) != dayOf(now) {
		return 0
	}
	return u.NumberOfDecreasesToday
}

// mayDecrease returns an error for a decrease that comes too soon.
func mayDecrease(u engine.Throughput, now float64) error {
	n := decreasedToday(u, now)
	if n < freeDecreases || now-u.LastDecrease >= decreaseSeconds {
		return nil
	}
	last := time.UnixMilli(int64(u.LastDecrease * 1000)).UTC()
	next := last.Add(decreaseSeconds * time.Second)
	if midnight := last.Truncate(24*time.Hour).AddDate(0, 0, 1); midnight.Before(next) {
		next = midnight
	}
	const clock = "Monday, January 2, 2006 at 3:04:05 PM"
	return wire.DynamoError("LimitExceededException", fmt.Sprintf("Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. "+
		"After the first %d decreases, each subsequent decrease in the same UTC day can be performed at most once every %d seconds. "+
		"Number of decreases today: %d. Last decrease at %s Coordinated Universal Time. Next decrease can be made at %s Coordinated Universal Time.",
		freeDecreases, decreaseSeconds, n, last.Format(clock), next.Format(clock)))
}

// changed returns the throughput after a change at the time now.
func changed(u engine.Throughput, to *ProvisionedThroughputInput, now float64) (engine.Throughput, error) {
	next := u
	next.ReadCapacityUnits, next.WriteCapacityUnits = *to.ReadCapacityUnits, *to.WriteCapacityUnits
	if next.ReadCapacityUnits > u.ReadCapacityUnits || next.WriteCapacityUnits > u.WriteCapacityUnits {
		next.LastIncrease = now
	}
	if next.ReadCapacityUnits < u.ReadCapacityUnits || next.WriteCapacityUnits < u.WriteCapacityUnits {
		if err := mayDecrease(u, now); err != nil {
			return u, err
		}
		next.NumberOfDecreasesToday = decreasedToday(u, now) + 1
		next.LastDecrease = now
	}
	return next, nil
}
