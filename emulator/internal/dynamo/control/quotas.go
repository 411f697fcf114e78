package control

import (
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// CheckQuotas checks def, which replaces previous (nil if the table is new), against the initial quotas of an account:
// 40,000 units for each table and index, and 80,000 provisioned units in total, reads and writes separately. ("Quotas
// in Amazon DynamoDB"; the messages as observed on AWS in 2026-10, except those about writes and about an index's sum,
// which are formed by analogy.) Without Throttling there are no quotas. a.DDL must be closed.
func CheckQuotas(a *engine.Account, def, previous *engine.Definition) error {
	if !a.Engine.Throttling || def.BillingMode == engine.OnDemand {
		return nil
	}
	for _, x := range append([]engine.IndexDefinition{{Throughput: def.Throughput}}, def.Global...) {
		if err := checkTableQuota(a, x.Name, x.Throughput); err != nil {
			return err
		}
	}
	requested, reserved := provisionedUnits(def), engine.Throughput{}
	for _, t := range *a.Tables.Load() {
		if previous == nil || t.Def.Name != previous.Name {
			reserved = addThroughput(reserved, provisionedUnits(t.Def))
		}
	}
	if err := checkAccountQuota(a, "ReadCapacityUnits", reserved.ReadCapacityUnits,
		requested.ReadCapacityUnits); err != nil {
		return err
	}
	return checkAccountQuota(a, "WriteCapacityUnits", reserved.WriteCapacityUnits, requested.WriteCapacityUnits)
}

// provisionedUnits returns the provisioned capacity of a table with its indexes.
func provisionedUnits(def *engine.Definition) engine.Throughput {
	if def.BillingMode == engine.OnDemand {
		return engine.Throughput{}
	}
	sum := def.Throughput
	for _, x := range def.Global {
		sum = addThroughput(sum, x.Throughput)
	}
	return sum
}

func addThroughput(u engine.Throughput, v engine.Throughput) engine.Throughput {
	return engine.Throughput{ReadCapacityUnits: u.ReadCapacityUnits + v.ReadCapacityUnits,
		WriteCapacityUnits: u.WriteCapacityUnits + v.WriteCapacityUnits}
}

const quotaHelp = "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."

func checkTableQuota(a *engine.Account, index string, u engine.Throughput) error {
	for _, c := range []struct {
		member string
		units  int64
	}{{"ReadCapacityUnits", u.ReadCapacityUnits}, {"WriteCapacityUnits", u.WriteCapacityUnits}} {
		if c.units <= capacity.TableQuota {
			continue
		}
		indexSuffix, per := "", "table"
		if index != "" {
			indexSuffix, per = " for index "+index, "index"
		}
		return wire.DynamoError("LimitExceededException",
			fmt.Sprintf("The requested %s%s, %d, is above the per %s maximum for the account in %s. Per %s maximum: %d. %s",
				c.member, indexSuffix, c.units, per, a.Region(), per, int(capacity.TableQuota), quotaHelp))
	}
	return nil
}

func checkAccountQuota(a *engine.Account, member string, reserved, requested int64) error {
	if reserved+requested <= capacity.AccountQuota {
		return nil
	}
	return wire.DynamoError("LimitExceededException",
		fmt.Sprintf("This request would have caused the %s limit to be exceeded for the account in %s. "+
			"Current %[1]s reserved by the account: %[3]d. Limit: %[4]d. Requested: %[5]d. %[6]s",
			member, a.Region(), reserved, int(capacity.AccountQuota), requested, quotaHelp))
}

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
		next = countDecrease(next, now)
	}
	return next, nil
}

// countDecrease returns u after one more decrease, at the time now.
func countDecrease(u engine.Throughput, now float64) engine.Throughput {
	u.NumberOfDecreasesToday, u.LastDecrease = decreasedToday(u, now)+1, now
	return u
}
