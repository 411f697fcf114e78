package dynamo

import (
	"fmt"
	"strings"
	"testing"
)

// fillPage puts about one page of a Scan: 26 partitions of 100 items of 400 bytes. In one of a hundred, bkt is b7.
func fillPage(b *testing.B, s *Service) {
	b.Helper()
	a := newRequester(s, "PutItem")
	for i := range 2600 {
		item := strings.Replace(benchItem(partition(i/100), fmt.Sprintf("s#%010d", i%100)), `"bkt":{"S":"`,
			fmt.Sprintf(`"bkt":{"S":"b%d`, i%100), 1)
		a.send(b, fmt.Appendf(nil, `{"TableName":"bench","Item":{%s}}`, item))
	}
}

// These requests are measured from their bodies to the bodies of their responses.
var pageRequests = []struct{ name, operation, body string }{
	{"Query1", "Query", `"KeyConditionExpression":"pk = :p AND sk = :s","ExpressionAttributeValues":{":p":{"S":"p#0000000007"},":s":{"S":"s#0000000030"}}`},
	{"Query20", "Query", `"KeyConditionExpression":"pk = :p AND sk >= :s","Limit":20,` +
		`"ExpressionAttributeValues":{":p":{"S":"p#0000000007"},":s":{"S":"s#0000000030"}}`},
	{"Query20Backward", "Query", `"KeyConditionExpression":"pk = :p AND sk < :s","Limit":20,"ScanIndexForward":false,` +
		`"ExpressionAttributeValues":{":p":{"S":"p#0000000007"},":s":{"S":"s#0000000030"}}`},
	{"Query20Projected", "Query",
		`"KeyConditionExpression":"pk = :p AND sk >= :s","Limit":20,"ProjectionExpression":"sk, bkt, meta.fw",` +
			`"ExpressionAttributeValues":{":p":{"S":"p#0000000007"},":s":{"S":"s#0000000030"}}`},
	{"ScanFiltered", "Scan", `"FilterExpression":"bkt = :b","ExpressionAttributeValues":{":b":{"S":"b70000000002"}}`},
	{"ScanCounted", "Scan", `"Select":"COUNT"`},
	{"ScanAll", "Scan", `"ConsistentRead":true`},
}

func BenchmarkPage(b *testing.B) {
	s := newBenchService(b)
	fillPage(b, s)
	for _, r := range pageRequests {
		b.Run(r.name, func(b *testing.B) {
			b.ReportAllocs()
			body, dst := []byte(`{"TableName":"bench",`+r.body+`}`), make([]byte, 0, 2<<20)
			for b.Loop() {
				if _, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), r.operation, body, dst); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
