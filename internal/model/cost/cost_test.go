package cost

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/internal/model/recording"
)

func own(t testing.TB) *Prices {
	t.Helper()
	p, err := EmbeddedPrices()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func bill(t *testing.T, u Usage, o Options) *Bill {
	t.Helper()
	b, err := own(t).Bill(u, o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func use(table string, kind Kind, quantity float64) Use { return Use{table, kind, FromFloat(quantity)} }

// TestOwnPrices checks that the promised regions are there, and that each price has a source.
func TestOwnPrices(t *testing.T) {
	t.Parallel()
	p := own(t)
	for _, id := range []string{"us-east-1", "us-east-2", "us-west-2", "eu-west-1", "eu-central-1", "ap-southeast-2"} {
		_, r, err := p.Region(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []Kind{WriteRequests, ReadRequests, WriteHours, ReadHours, Storage, Recovery, Backups, Restored,
			StreamReads, TransferOut, Keys, KeyRequests, Alarms, MetricRequests} {
			if r.Prices[kind] == nil {
				t.Errorf("%s has no price of %s", id, kind)
			}
		}
	}
}

// TestPricesOfARequest checks the on-demand prices against AWS's own figures: since 1 November 2024 a million writes
// cost $0.625 and a million reads $0.125 in us-east-1.
func TestPricesOfARequest(t *testing.T) {
	t.Parallel()
	b := bill(t, Usage{Lines: []Use{use("a", WriteRequests, 1e6), use("a", ReadRequests, 1e6),
		use("b", ReadRequests, 0.5)}}, Options{})
	if got := b.Total.String(); got != "0.7500000625" {
		t.Errorf("total %s", got)
	}
	if len(b.Lines) != 3 || b.Lines[0].Price != "0.625 per 1000000" || b.Lines[2].Amount.String() != "0.0000000625" ||
		b.Lines[0].Source == "" {
		t.Errorf("%+v", b.Lines)
	}
}

// TestReplicatedWritesCostAsOrdinaryOnes checks the price of replicated writes: that of ordinary ones, as on the
// service since 1 November 2024, unless the price file has another.
func TestReplicatedWritesCostAsOrdinaryOnes(t *testing.T) {
	t.Parallel()
	u := Usage{Lines: []Use{use("a", ReplicatedWriteRequests, 1e6), use("a", ReplicatedWriteHoursIA, 1000)}}
	if got := bill(t, u, Options{}).Total.String(); got != "1.435" { // 0.625 + 0.81
		t.Errorf("total %s", got)
	}
	p := own(t)
	p.Regions["us-east-1"].Prices[ReplicatedWriteRequests] = &Price{Per: Fraction(1e6, 1), Source: "provisioned",
		Tiers: []Tier{{USD: Fraction(2, 1)}}}
	b, err := p.Bill(u, Options{})
	if err != nil || b.Total.String() != "2.81" {
		t.Errorf("total %v, %v", b.Total, err)
	}
}

// TestAMonthAtTheRateOfARun prices a month at the rate of ten minutes with 100 writes a second and 30 GB of storage.
func TestAMonthAtTheRateOfARun(t *testing.T) {
	t.Parallel()
	span := 10 * time.Minute
	gbMonths := Fraction(30, 1).Mul(Fraction(int64(span), int64(Month)))
	u := Usage{Span: span, Lines: []Use{use("a", WriteRequests, 60_000), {"a", Storage, gbMonths}, use("a", Restored, 2)}}
	b := bill(t, u, Options{Monthly: true})
	// 262.8 million writes; 30 GB, of which 25 are free; a restore does not recur.
	if got := b.Total.String(); got != "165.8" {
		t.Errorf("total %s, want 164.25 + 7.5 - 6.25 + 0.3", got)
	}
	if got := bill(t, u, Options{Monthly: true, Gross: true}).Total.String(); got != "172.05" {
		t.Errorf("gross %s", got)
	}
	if _, err := own(t).Bill(Usage{}, Options{Monthly: true}); err == nil {
		t.Error("a usage without time has a rate")
	}
}

// TestExampleBill checks AWS's own example of a month in us-east-1, on the page about on-demand prices: 60 GB of
// backups of which 15 GB are deleted after 10 of 30 days, 27 GB with point-in-time recovery, a restore and an export of
// 29 GB, 42,177,000 writes for a Kinesis stream, and 2,592,000 reads of a stream.
func TestExampleBill(t *testing.T) {
	t.Parallel()
	b := bill(t, Usage{Span: Month, Lines: []Use{use("a", Storage, 27), use("", Backups, 50), use("a", Recovery, 27),
		use("a", Restored, 29), use("a", Exported, 29), use("a", CapturedChanges, 42_177_000),
		use("", StreamReads, 2_592_000)}}, Options{})
	want := map[Kind]string{Storage: "0.5", Backups: "5", Recovery: "5.4", Restored: "4.35", Exported: "2.9",
		CapturedChanges: "4.2177", StreamReads: "0.0184"}
	got := map[Kind]Amount{}
	for _, l := range b.Lines {
		got[l.Kind] = got[l.Kind].Add(l.Amount)
	}
	for kind, amount := range want {
		if got[kind].String() != amount {
			t.Errorf("%s cost %s, want %s", kind, got[kind], amount)
		}
	}
}

// TestPricesOfFeatures checks what features of tables cost in us-east-1: imports and incremental exports by the GB,
// vector indexes by the GB, and contributor insights by rule and event. Four rules and 500 million events cost $17.
func TestPricesOfFeatures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		uses []Use
		want string
	}{
		{[]Use{use("a", Imported, 100)}, "15"},
		{[]Use{use("a", ExportedChanges, 4)}, "0.4"},
		{[]Use{use("a", VectorWrites, 10), use("a", VectorSearches, 1000)}, "7.2"},
		{[]Use{use("a", VectorWritesIA, 10), use("a", VectorSearchesIA, 1000)}, "9"},
		{[]Use{use("a", InsightRules, 4), use("a", InsightEvents, 500e6)}, "17"},
		{[]Use{use("a", WriteRequestsIA, 1e6), use("a", ReadRequestsIA, 1e6), use("a", StorageIA, 10)}, "1.935"},
	} {
		if got := bill(t, Usage{Span: Month, Lines: c.uses}, Options{}).Total.String(); got != c.want {
			t.Errorf("%v cost %s, want %s", c.uses, got, c.want)
		}
	}
}

// TestBulkPutsHaveNoPrice checks that a bill lists bulk puts, whose prices are not documented, without an amount.
func TestBulkPutsHaveNoPrice(t *testing.T) {
	t.Parallel()
	b := bill(t, Usage{Lines: []Use{use("a", BulkPuts, 2), use("a", AcceleratedBulkPuts, 3)}}, Options{})
	if len(b.Lines) != 2 || b.Lines[0].Price != "" || b.Lines[1].Price != "" || b.Total.Sign() != 0 {
		t.Errorf("%+v", b.Lines)
	}
}

// TestAmountsForPeople checks how amounts and quantities are shown: with commas, cents, and no exponents.
func TestAmountsForPeople(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ dollars, quantity string }{
		"0": {"$0", "0"}, "0.5": {"$0.50", "0.5"}, "0.0000625": {"$0.0000625", "0.0000625"}, "1.127": {"$1.13", "1.13"},
		"0.000000006254": {"$0.00000000625", "0.00000000625"}, "0.99999": {"$1.00", "1"}, "-6.25": {"-$6.25", "-6.25"},
		"1234567.891": {"$1,234,567.89", "1,234,567.89"}, "262800000": {"$262,800,000.00", "262,800,000"},
	} {
		var a Amount
		if err := a.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if a.Dollars() != want.dollars || a.Readable() != want.quantity || a.String() != text {
			t.Errorf("%s: %s %s %s, want %+v", text, a.Dollars(), a.Readable(), a, want)
		}
	}
}

// TestBillsHaveDollarsAndCommas checks the text of a bill.
func TestBillsHaveDollarsAndCommas(t *testing.T) {
	t.Parallel()
	b := bill(t, Usage{Span: Month, Lines: []Use{use("a", WriteRequests, 1_234_567), use("", TransferOut, 10_340)}},
		Options{Internet: true})
	var text strings.Builder
	if err := b.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{" 1,234,567 ", " $0.625 per 1,000,000 ", " $0.772\n", " 10,340 ", " -$9.00\n",
		" $921.87\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q:\n%s", want, &text)
		}
	}
}

func TestTransferIsPaidOnlyToTheInternet(t *testing.T) {
	t.Parallel()
	u := Usage{Span: Month, Lines: []Use{use("", TransferOut, 10_340)}}
	if got := bill(t, u, Options{}).Total; got.Sign() != 0 {
		t.Errorf("within the region %s", got)
	}
	// 10,240 GB at $0.09, 100 at $0.085, without the first 100.
	if got := bill(t, u, Options{Internet: true}).Total.String(); got != "921.1" {
		t.Errorf("to the internet %s", got)
	}
}

func TestKindsWithoutPriceAreListed(t *testing.T) {
	t.Parallel()
	b := bill(t, Usage{Lines: []Use{use("a", StorageIA, 1)}}, Options{Region: "eu-west-1"})
	var text strings.Builder
	if err := b.WriteText(&text); err != nil || b.Lines[0].Price != "" || !strings.Contains(text.String(),
		"does not include it") {
		t.Errorf("%+v\n%s", b.Lines, text.String())
	}
	if _, err := own(t).Bill(Usage{}, Options{Region: "moon-1"}); err == nil || !strings.Contains(err.Error(),
		"use one of ap-southeast-2,") {
		t.Errorf("%v", err)
	}
}

// TestDocuments recomputes the costs that the documents state from their own prices.
func TestDocuments(t *testing.T) {
	t.Parallel()
	all, err := Documents()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"PE-C1": "1.127", "PE-C2": "0.0016", "KF-C1": "0.125"}
	for _, d := range all {
		if got := d.Computed().String(); d.Stated != nil && got != want[d.ID] {
			t.Errorf("%s: %s, want %s", d.ID, got, want[d.ID])
		}
		delete(want, d.ID)
	}
	if len(want) > 0 {
		t.Errorf("no %v", want)
	}
}

func TestPriceFilesAreRefusedByLine(t *testing.T) {
	t.Parallel()
	const head = "date: 2026-01-01\nsources: {s: {url: x, date: 2026-01-01}}\nregions:\n  r:\n    prices:\n"
	for text, want := range map[string]string{
		"date: soon\n": `p:1: date "soon"`,
		"date: 2026-01-01\nsources: {s: {url: x}}\n":                              "p:2: the source s needs",
		"date: 2026-01-01\n":                                                      "no region",
		head + "      gold: {usd: 1, source: s}\n":                                `p:6: unknown kind "gold": use one of write-request-units,`,
		head + "      pitr-gb-months: {usd: 1}\n":                                 "p:6: the price of pitr-gb-months needs a source: use one of s",
		head + "      pitr-gb-months: {usd: -1}\n":                                `p:6: "-1" is not an amount`,
		head + "      pitr-gb-months: {usd: 1e999999999}\n":                       `p:6: "1e999999999" is not an amount`,
		head + "      pitr-gb-months: {tiers: [{usd: 1}, {usd: 2}], source: s}\n": "p:6: tiers must ascend",
	} {
		if _, err := ReadPrices("p", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestABillIsTheSumOfItsParts checks that dividing a usage among tables, or among kinds, changes no total.
func TestABillIsTheSumOfItsParts(t *testing.T) {
	t.Parallel()
	p := own(t)
	rapid.Check(t, func(rt *rapid.T) {
		var all []Use
		var sum Amount
		for i := range rapid.IntRange(1, 8).Draw(rt, "uses") {
			one := use(string(rune('a'+i%3)), rapid.SampledFrom(Kinds()).Draw(rt, "kind"),
				float64(rapid.Uint32().Draw(rt, "halves"))/2)
			all = append(all, one)
			if one.Kind != TransferOut { // its price depends on the quantity
				b, err := p.Bill(Usage{Lines: []Use{one}}, Options{Gross: true})
				if err != nil {
					rt.Fatal(err)
				}
				sum = sum.Add(b.Total)
			}
		}
		b, err := p.Bill(Usage{Lines: all}, Options{Gross: true})
		if err != nil || b.Total.Cmp(sum) != 0 {
			rt.Fatalf("%v, %s and %s", err, b.Total, sum)
		}
	})
}

func TestBillsAreReadBack(t *testing.T) {
	t.Parallel()
	b := bill(t, Usage{Span: time.Hour, Lines: []Use{use("a", Storage, 26)}}, Options{Monthly: true})
	text, err := json.Marshal(b)
	var again Bill
	if err != nil || json.Unmarshal(text, &again) != nil || again.Total.String() != b.Total.String() ||
		again.Lines[0].Amount.String() != b.Lines[0].Amount.String() {
		t.Errorf("%v %s", err, text)
	}
}

func FuzzReadPrices(f *testing.F) {
	f.Add(string(embeddedPrices))
	f.Fuzz(func(_ *testing.T, text string) {
		if p, err := ReadPrices("p", []byte(text)); err == nil {
			for id := range p.Regions {
				_, _ = p.Bill(Usage{Span: time.Hour, Lines: []Use{use("a", Storage, 1), use("", TransferOut, 1e6)}},
					Options{Region: id, Internet: true})
			}
		}
	})
}

func TestARecordingIsPriced(t *testing.T) {
	t.Parallel()
	text := `{"tabletop":"recording","format":1,"version":"x","start":"2026-01-01T00:00:00Z","seed":1}
{"n":1,"time":"2026-01-01T00:00:10Z","micros":0,"service":"dynamodb","operation":"PutItem","status":200,"consumed":[{"table":"a","write":true,"units":2},{"table":"a","index":"i","write":true,"units":1}]}
{"n":2,"time":"2026-01-01T00:01:00Z","micros":0,"service":"dynamodb","operation":"GetItem","status":200,"answer":{},"consumed":[{"table":"a","units":0.5}]}
{"n":3,"time":"2026-01-01T00:01:00Z","micros":0,"service":"cosmos","operation":"QueryDocuments","status":200,"answer":{"Documents":[]},"consumed":[{"database":"d","container":"a","units":12.5}]}
`
	r, err := recording.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	u, err := Recorded(r)
	if err != nil || u.Span != time.Minute || u.RequestUnits != 12.5 {
		t.Fatal(u, err)
	}
	priced := bill(t, u, Options{})
	if got := priced.Total.String(); got != "0.0000019375" { // 3 × 0.625 + 0.5 × 0.125 a million
		t.Errorf("total %s", got)
	}
	if !slices.Contains(priced.Assumptions, "Cosmos DB is not priced: its requests consumed 12.50 RU") {
		t.Errorf("assumptions %q", priced.Assumptions)
	}
}
