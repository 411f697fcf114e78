package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/page"
	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// concurrent measures requests at a fixed rate: alone, and while an index is added, while the table is backed up and
// restored, while it is restored to a point in time, and while it is exported.
func (b *bench) concurrent(ctx context.Context, r *page.FolderSize, _ int) error {
	if b.rate == 0 {
		return nil
	}
	s, _, err := b.start()
	if err != nil {
		return err
	}
	defer s.Stop()
	for _, work := range []struct {
		name string
		run  func() error
	}{
		{"none", func() error { return pause(ctx, b.phase) }},
		{"index", s.addIndex},
		{"backup and restore", s.backUpAndRestore},
		{"point-in-time restore", s.restoreToPointInTime},
		{"export", s.export},
	} {
		measured, err := s.during(ctx, b, r.Items, work.run)
		if err != nil {
			return fmt.Errorf("%s: %w", work.name, err)
		}
		measured.Work, measured.PeakMiB = work.name, s.peakRSS()
		r.Concurrent = append(r.Concurrent, measured)
	}
	if err := s.recovery(false); err != nil {
		return err
	}
	if err := s.call("UpdateTable", `{"TableName":"items","GlobalSecondaryIndexUpdates":[{"Delete":`+
		`{"IndexName":"by-owner"}}]}`); err != nil {
		return err
	}
	return s.Terminate()
}

// pause waits, or until ctx is done.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *emulator) addIndex() error {
	if err := s.call("UpdateTable", `{"TableName":"items","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":`+
		`"S"},{"AttributeName":"owner","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":`+
		`"by-owner","KeySchema":[{"AttributeName":"owner","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`,
	); err != nil {
		return err
	}
	return s.waitUntilActive("items")
}

func (s *emulator) backUpAndRestore() error {
	arn, err := s.callFor("BackupArn", "CreateBackup", `{"TableName":"items","BackupName":"bigdata"}`)
	if err != nil {
		return err
	}
	if err := s.call("RestoreTableFromBackup", `{"TargetTableName":"restored","BackupArn":"`+arn+`"}`); err != nil {
		return err
	}
	if err := s.waitUntilActive("restored"); err != nil {
		return err
	}
	if err := s.call("DeleteTable", `{"TableName":"restored"}`); err != nil {
		return err
	}
	return s.call("DeleteBackup", `{"BackupArn":"`+arn+`"}`)
}

// recovery enables point-in-time recovery, or disables it.
func (s *emulator) recovery(on bool) error {
	return s.call("UpdateContinuousBackups", fmt.Sprintf(`{"TableName":"items","PointInTimeRecoverySpecification":`+
		`{"PointInTimeRecoveryEnabled":%v}}`, on))
}

// restoreToPointInTime restores the table to the second in which point-in-time recovery was enabled.
func (s *emulator) restoreToPointInTime() error {
	if err := s.recovery(true); err != nil {
		return err
	}
	if err := s.call("RestoreTableToPointInTime", `{"SourceTableName":"items","TargetTableName":"restored",`+
		`"UseLatestRestorableTime":true}`); err != nil {
		return err
	}
	if err := s.waitUntilActive("restored"); err != nil {
		return err
	}
	return s.call("DeleteTable", `{"TableName":"restored"}`)
}

// export exports the table, with point-in-time recovery enabled, to a bucket.
func (s *emulator) export() error {
	c := newConn(s.addr)
	defer c.Close()
	if err := c.expect(fmt.Appendf(nil, "PUT /bigdata HTTP/1.1\r\nHost: %s\r\nX-Amz-Date: 20260101T000000Z\r\n"+
		"Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/s3/aws4_request, "+
		"SignedHeaders=host;x-amz-date, Signature=%064d\r\nContent-Length: 0\r\n\r\n", s.addr, 7)); err != nil {
		return err
	}
	arn, err := s.callFor("ExportArn", "ExportTableToPointInTime", `{"S3Bucket":"bigdata","TableArn":`+
		`"arn:aws:dynamodb:us-east-1:000000000000:table/items"}`)
	for err == nil {
		var status string
		status, err = s.callFor("ExportStatus", "DescribeExport", `{"ExportArn":"`+arn+`"}`)
		switch {
		case status == "COMPLETED":
			return nil
		case err == nil && status != "IN_PROGRESS":
			err = fmt.Errorf("the export ended as %s", status)
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

// callFor sends one request and returns a text member of the response.
func (s *emulator) callFor(member, operation, body string) (string, error) {
	c := newConn(s.addr)
	defer c.Close()
	status, answer, err := c.Do(workload.DynamoDBRequest(s.addr, operation, body))
	if err != nil {
		return "", err
	}
	_, after, found := strings.Cut(string(answer), `"`+member+`":"`)
	if !found {
		return "", fmt.Errorf("%s: status %d: %s", operation, status, answer)
	}
	value, _, _ := strings.Cut(after, `"`)
	return value, nil
}

// waitUntilActive waits until the table and its indexes are active.
func (s *emulator) waitUntilActive(table string) error {
	c := newConn(s.addr)
	defer c.Close()
	for {
		status, body, err := c.Do(workload.DynamoDBRequest(s.addr, "DescribeTable", `{"TableName":"`+table+`"}`))
		if err != nil {
			return err
		}
		text := string(body)
		if status == 200 && !strings.Contains(text, `"CREATING"`) && !strings.Contains(text, `"UPDATING"`) {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// during sends requests at the rate while work runs. A request that could not be sent in time counts from when it was
// due.
func (s *emulator) during(ctx context.Context, b *bench, items int, work func() error) (page.ConcurrentWork, error) {
	done := make(chan error, 1)
	began := time.Now()
	var took time.Duration
	go func() {
		err := work()
		took = time.Since(began)
		done <- err
		close(done)
	}()
	var mu sync.Mutex
	var all []time.Duration
	ended := make(chan struct{})
	var workErr error
	go func() {
		workErr = <-done
		close(ended)
	}()
	interval := time.Duration(b.conns) * time.Second / time.Duration(b.rate)
	err := s.parallel(b.conns, func(c *conn) error {
		var own []time.Duration
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			all = append(all, own...)
		}()
		number := below(items)
		for due, n := time.Now(), 0; ctx.Err() == nil; due, n = due.Add(interval), n+1 {
			select {
			case <-ended:
				return nil
			case <-time.After(time.Until(due)):
			}
			kind := getRequest
			if n%5 == 0 {
				kind = putRequest
			}
			if err := c.expect(kind(s.addr, number())); err != nil {
				return err
			}
			own = append(own, time.Since(due))
		}
		return context.Cause(ctx)
	})
	<-ended
	if err == nil {
		err = workErr
	}
	if err != nil || len(all) == 0 {
		return page.ConcurrentWork{}, fmt.Errorf("%d requests succeeded: %w", len(all), err)
	}
	slices.Sort(all)
	at := func(percent int) float64 { return round(float64(all[(len(all)-1)*percent/100].Microseconds()) / 1000) }
	return page.ConcurrentWork{Seconds: round(took.Seconds()), RPS: round(float64(len(all)) / time.Since(began).Seconds()),
		P50Ms: at(50), P99Ms: at(99), MaxMs: at(100)}, nil
}
