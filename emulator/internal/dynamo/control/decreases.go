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

// decreasedToday returns how often the throughput was decreased on the UTC day of now: the service counts anew at
// midnight (ack-api-quirks DDB-TABLE-326, 2026-10-09).
func decreasedToday(u engine.Throughput, now float64) int64 {
	if dayOf(u.LastDecrease) != dayOf(now) {
		return 0
	}
	return u.NumberOfDecreasesToday
}

// checkCanDecrease returns an error for a decrease that comes too soon.
func checkCanDecrease(u engine.Throughput, now float64) error {
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
	return wire.DynamoError("LimitExceededException",
		fmt.Sprintf("Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. "+
			"After the first %d decreases, each subsequent decrease in the same UTC day can be performed at most once every %d seconds. "+
			"Number of decreases today: %d. Last decrease at %s Coordinated Universal Time. Next decrease can be made at %s Coordinated Universal Time.",
			freeDecreases, decreaseSeconds, n, last.Format(clock), next.Format(clock)))
}

// changeThroughput returns the throughput after a change at the time now.
func changeThroughput(current engine.Throughput, in *ProvisionedThroughputInput, now float64) (engine.Throughput,
	error) {
	next := current
	next.ReadCapacityUnits, next.WriteCapacityUnits = *in.ReadCapacityUnits, *in.WriteCapacityUnits
	if next.ReadCapacityUnits > current.ReadCapacityUnits || next.WriteCapacityUnits > current.WriteCapacityUnits {
		next.LastIncrease = now
	}
	if next.ReadCapacityUnits < current.ReadCapacityUnits || next.WriteCapacityUnits < current.WriteCapacityUnits {
		if err := checkCanDecrease(current, now); err != nil {
			return current, err
		}
		next.NumberOfDecreasesToday = decreasedToday(current, now) + 1
		next.LastDecrease = now
	}
	return next, nil
}
