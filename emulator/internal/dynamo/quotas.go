package dynamo

import (
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
)

// checkQuotas holds a definition that is to take the place of former, nil for none, to what an account has at first:
// 40,000 units for each table and index, and 80,000 provisioned in all, reads and writes each. ("Quotas in Amazon DynamoDB";
// the words as AWS answered in 2026-10, but for those about writes and about an index's sum, which are formed alike.) The
// strict temperament has no quotas. a.ddl must be closed.
func (a *account) checkQuotas(def, former *definition) error {
	if !a.service.throttling || def.BillingMode == onDemand {
		return nil
	}
	for _, x := range append([]indexDefinition{{Throughput: def.Throughput}}, def.Global...) {
		if err := a.checkTableQuota(x.Name, x.Throughput); err != nil {
			return err
		}
	}
	asked, reserved := def.reserved(), throughput{}
	for _, t := range *a.tables.Load() {
		if former == nil || t.def.Name != former.Name {
			reserved = reserved.plus(t.def.reserved())
		}
	}
	if err := a.checkAccountQuota("ReadCapacityUnits", reserved.ReadCapacityUnits, asked.ReadCapacityUnits); err != nil {
		return err
	}
	return a.checkAccountQuota("WriteCapacityUnits", reserved.WriteCapacityUnits, asked.WriteCapacityUnits)
}

// reserved is the provisioned capacity of a table with its indexes.
func (def *definition) reserved() throughput {
	if def.BillingMode == onDemand {
		return throughput{}
	}
	sum := def.Throughput
	for _, x := range def.Global {
		sum = sum.plus(x.Throughput)
	}
	return sum
}

func (u throughput) plus(v throughput) throughput {
	return throughput{ReadCapacityUnits: u.ReadCapacityUnits + v.ReadCapacityUnits, WriteCapacityUnits: u.WriteCapacityUnits + v.WriteCapacityUnits}
}

const moreQuota = "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."

func (a *account) checkTableQuota(index string, u throughput) error {
	for _, c := range []struct {
		member string
		units  int64
	}{{"ReadCapacityUnits", u.ReadCapacityUnits}, {"WriteCapacityUnits", u.WriteCapacityUnits}} {
		if c.units <= capacity.TableQuota {
			continue
		}
		of, per := "", "table"
		if index != "" {
			of, per = " for index "+index, "index"
		}
		return dynamoError("LimitExceededException", fmt.Sprintf("The requested %s%s, %d, is above the per %s maximum for the account in %s. Per %s maximum: %d. %s",
			c.member, of, c.units, per, a.region(), per, int(capacity.TableQuota), moreQuota))
	}
	return nil
}

func (a *account) checkAccountQuota(member string, reserved, asked int64) error {
	if reserved+asked <= capacity.AccountQuota {
		return nil
	}
	return dynamoError("LimitExceededException", fmt.Sprintf("This request would have caused the %s limit to be exceeded for the account in %s. "+
		"Current %[1]s reserved by the account: %[3]d. Limit: %[4]d. Requested: %[5]d. %[6]s",
		member, a.region(), reserved, int(capacity.AccountQuota), asked, moreQuota))
}
