package dynamo

import (
	"fmt"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// TestPartitionsHaveTheSizeOfTheirItems: writes that fail, only check, are cancelled or replace an item by an equal one
// do not change the size by which partitions are split; expiry does.
func TestPartitionsHaveTheSizeOfTheirItems(t *testing.T) {
	t.Parallel()
	now := clock.Manual(time.Unix(1000, 0))
	s := openService(t, openMemory(t), now)
	defer s.Close()
	mustRun(t, s, "CreateTable", sessions)
	mustRun(t, s, "UpdateTimeToLive",
		`{"TableName":"sessions","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}}`)
	mustRun(t, s, "PutItem", `{"TableName":"sessions","Item":{"id":{"S":"a"},"until":{"N":"1100"}}}`)
	refused := func(operation, request string) {
		t.Helper()
		if _, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), operation, []byte(request), nil); err == nil {
			t.Errorf("%s succeeds", request)
		}
	}
	refused("PutItem", `{"TableName":"sessions","Item":{"id":{"S":"a"}},"ConditionExpression":"attribute_not_exists(id)"}`)
	const check = `{"ConditionCheck":{"TableName":"sessions","Key":{"id":{"S":"a"}},"ConditionExpression":"attribute_%s(id)"}}`
	put := `{"Put":{"TableName":"sessions","Item":{"id":{"S":"b"},"text":{"S":"long"}}}}`
	refused("TransactWriteItems", `{"TransactItems":[`+put+`,`+fmt.Sprintf(check, "not_exists")+`]}`)
	mustRun(t, s, "TransactWriteItems", `{"TransactItems":[`+put+`,`+fmt.Sprintf(check, "exists")+`]}`)
	mustRun(t, s, "PutItem", `{"TableName":"sessions","Item":{"id":{"S":"b"},"text":{"S":"longer"}}}`)
	holds := func() {
		t.Helper()
		sessions, err := s.engine.SharedAccount.Load().NamedTable("sessions")
		if err != nil {
			t.Fatal(err)
		}
		var size int64
		for _, p := range sessions.Stats.Meter.Partitions(now.Now()) {
			size += p.Bytes
		}
		if items := sessions.Stats.Bytes.Load(); size != items || size == 0 {
			t.Errorf("the partitions have %d bytes, the table's items %d", size, items)
		}
	}
	holds()
	if err := now.Advance(time.Hour); err != nil {
		t.Fatal(err)
	}
	holds()
}
