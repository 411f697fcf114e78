package workload

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// setUpTables makes DynamoDB's tables, and fills those that workloads read.
func (c *Client) setUpTables() error {
	err := errors.Join(c.makeTable(itemsTable, false), c.makeTable(updatedTable, false), c.makeTable(indexedTable, true),
		c.makeTable(addedTable, false))
	if err != nil {
		return err
	}
	return errors.Join(
		c.fill(itemsTable, 10_000, func(i int) string {
			return DynamoDBItem("p#"+digits(i/100), sortPrefix+digits(i%100), digits(i%100))
		}),
		c.fill(updatedTable, 1000, func(i int) string { return DynamoDBItem("u#"+digits(i), "s", digits(0)) }),
		c.fill(indexedTable, 5000, func(i int) string {
			return DynamoDBItem("o#"+digits(i), sortPrefix+digits(i), digits(0)) +
				`,"gpk":{"S":"g#` + digits(i%50) + `"},"gsk":{"S":"r#` + digits(i/50) + `"}`
		}))
}

const (
	tableTimeout = 30 * time.Second
	tablePause   = 5 * time.Millisecond
)

// makeTable makes a table, in place of the one with its name if there is one, and waits until it is active.
func (c *Client) makeTable(name string, indexed bool) error {
	named := `{"TableName":"` + name + `"}`
	if _, err := c.call(DynamoDBRequest(c.Addr, "DeleteTable", named), 200); err == nil {
		if err := c.awaitTable(named, func(_ []byte, err error) bool { return err != nil }); err != nil {
			return err
		}
	}
	attributes := `{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}`
	index := ""
	if indexed {
		attributes += `,{"AttributeName":"gpk","AttributeType":"S"},{"AttributeName":"gsk","AttributeType":"S"}`
		index = `,"GlobalSecondaryIndexes":[{"IndexName":"` + indexName + `","KeySchema":[` +
			`{"AttributeName":"gpk","KeyType":"HASH"},{"AttributeName":"gsk","KeyType":"RANGE"}],` +
			`"Projection":{"ProjectionType":"ALL"}}]`
	}
	_, err := c.call(DynamoDBRequest(c.Addr, "CreateTable", `{"TableName":"`+name+`","BillingMode":"PAY_PER_REQUEST",`+
		`"AttributeDefinitions":[`+attributes+`],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},`+
		`{"AttributeName":"sk","KeyType":"RANGE"}]`+index+`}`), 200)
	if err != nil {
		return fmt.Errorf("create table %s: %w", name, err)
	}
	return c.awaitTable(named, func(body []byte, err error) bool {
		return err == nil && bytes.Contains(body, []byte(`"TableStatus":"ACTIVE"`))
	})
}

// awaitTable describes a table until the response satisfies the condition.
func (c *Client) awaitTable(named string, condition func(body []byte, err error) bool) error {
	for began := time.Now(); time.Since(began) < tableTimeout; time.Sleep(tablePause) {
		if condition(c.call(DynamoDBRequest(c.Addr, "DescribeTable", named), 200)) {
			return nil
		}
	}
	return fmt.Errorf("table %s does not change its state within %v", named, tableTimeout)
}

const (
	fillConnections = 4
	batchSize       = 25
)

// fill writes n items in batches.
func (c *Client) fill(table string, n int, item func(i int) string) error {
	var group errgroup.Group
	for first := range fillConnections {
		group.Go(func() error {
			conn := c.Conn()
			defer conn.Close()
			for from := first * batchSize; from < n; from += fillConnections * batchSize {
				var puts []string
				for i := from; i < min(from+batchSize, n); i++ {
					puts = append(puts, `{"PutRequest":{"Item":{`+item(i)+`}}}`)
				}
				status, body, err := conn.Do(DynamoDBRequest(c.Addr, "BatchWriteItem",
					`{"RequestItems":{"`+table+`":[`+strings.Join(puts, ",")+`]}}`))
				if err == nil && (status != 200 || bytes.Contains(body, []byte("PutRequest"))) {
					err = fmt.Errorf("status %d: %.200s", status, body)
				}
				if err != nil {
					return fmt.Errorf("fill table %s: %w", table, err)
				}
			}
			return nil
		})
	}
	return group.Wait()
}
