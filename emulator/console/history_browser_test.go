//go:build browser

package console_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/tabletop-db/tabletop/emulator"
)

// noon is when the tests of earlier states begin.
var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// history makes a table with a history: at 12:01 an item is open, at 12:02 paid, at 12:03 there is another item, and at
// 12:04 the first one is deleted. It is 12:20.
func history(b *browser) *dynamodb.Client {
	b.t.Helper()
	client := ordersTable(b.t, b.emulator)
	_, err := client.UpdateContinuousBackups(b.t.Context(), &dynamodb.UpdateContinuousBackupsInput{
		TableName: aws.String("orders"), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: aws.Bool(true)}})
	b.must(err)
	for _, put := range []item{order("ana", 1, "open"), order("ana", 1, "paid"), order("ben", 2, "open")} {
		b.must(b.emulator.Advance(time.Minute))
		putItem(b.t, client, "orders", put)
	}
	b.must(b.emulator.Advance(time.Minute))
	_, err = client.DeleteItem(b.t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("orders"),
		Key: item{"customer": text("ana"), "number": number("1")}})
	b.must(err)
	b.must(b.emulator.Advance(16 * time.Minute))
	return client
}

// press presses the keys of a text, or a key such as kb.Enter.
func (b *browser) press(keys string, options ...chromedp.KeyOption) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys, append(options, likeKeyboard)...))
}

// likeKeyboard makes Chromium type no character if the page prevents that when the key goes down, as a keyboard does.
// Otherwise, Enter on a menu would also press the button of the dialog that the menu opens.
func likeKeyboard(event *input.DispatchKeyEventParams) {
	if event.Type == kb.KeyDown {
		event.Type = kb.KeyRawDown
	}
}

// choose writes a time into a field.
func (b *browser) choose(label, moment string) {
	b.t.Helper()
	b.fill(label, moment)
	b.press(kb.Enter)
}

// onTimeline returns a point of the timeline, by the part of its width to the left.
func (b *browser) onTimeline(part float64) (x, y float64) {
	b.t.Helper()
	place := b.evaluate(fmt.Sprintf(`(() => { const t = document.querySelector('.track'); t.scrollIntoView({ block: 'center' });
		const r = t.getBoundingClientRect(); return (r.x + r.width * %v) + ' ' + (r.y + r.height / 2) })()`, part))
	if _, err := fmt.Sscan(place, &x, &y); err != nil {
		b.t.Fatal(err)
	}
	return x, y
}

// touch touches a point of the window, as a finger does.
func (b *browser) touch(x, y float64) {
	b.t.Helper()
	for _, touch := range []input.DispatchTouchEventParams{
		{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}},
		{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}}} {
		_, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, touch)
		b.must(err)
	}
}

// TestHistoryBegins enables point-in-time recovery on the page, which then follows what other clients change.
func TestHistoryBegins(t *testing.T) {
	t.Parallel()
	b := open(t, "/", emulator.WithManualClock(noon))
	client := ordersTable(t, b.emulator)
	b.visit("/dynamodb/tables/orders/history")
	b.sees("Earlier states are not stored")
	b.click("Enable point-in-time recovery")
	b.sees("0 items now", "States are stored since 2026-11-26 12:00:00")
	b.must(b.emulator.Advance(time.Minute))
	putItem(t, client, "orders", order("ana", 1, "open"))
	b.sees("1 item now", "open")
	b.must(b.emulator.Advance(time.Hour))
	b.fill("Time (UTC)", "2026-11-26 12:01:30")
	putItem(t, client, "orders", order("ana", 1, "paid"))
	b.sees("1 item now", "paid", "11-26 13:01:00") // the end of the timeline
	until[bool](b, "labelled", "2 puts and 0 deletions from 2026-11-26 12:00:00 to 2026-11-26 13:01:00")
	b.press(kb.Enter) // what was written is still there
	b.sees("1 item at 2026-11-26 12:01:30", "open")
}

// TestHistoryOfATable looks at a table at each of its states, by the field, the keyboard, the mouse and by touch.
func TestHistoryOfATable(t *testing.T) {
	t.Parallel()
	b := open(t, "/", emulator.WithManualClock(noon))
	history(b)
	b.visit("/dynamodb/tables/orders/history")
	b.sees("1 item now", "ben")
	b.choose("Time (UTC)", "2026-11-26 12:00:59.999999999")
	b.sees("0 items at 2026-11-26 12:00:59.999")
	b.choose("Time (UTC)", "2026-11-26 12:01")
	b.sees("1 item at 2026-11-26 12:01:00", "ana 1 open")
	b.choose("Time (UTC)", "2026-11-26 12:03:30")
	b.sees("2 items at 2026-11-26 12:03:30", "ana 1 paid", "ben 2 open")
	b.fill("Only items with customer", "ben")
	b.sees("1 item at 2026-11-26 12:03:30")
	b.fill("Only items with customer", "")
	b.fill("Table or index", "by-state")
	b.fill("Only items with state", "paid")
	b.sees("1 item at 2026-11-26 12:03:30", "ana 1 paid")
	b.choose("Time (UTC)", "yesterday")
	b.sees("Write a time in UTC")
	b.choose("Time (UTC)", "2026-11-26 11:00")
	b.sees("at must be from 2026-11-26T12:00:00Z")

	b.visit("/live") // the same address would not load the page again
	b.visit("/dynamodb/tables/orders/history#2026-11-26T12:02:58Z")
	b.sees("1 item at 2026-11-26 12:02:58")
	b.click("Minute")
	b.sees("11-26 12:02:28")
	b.evaluate(`(document.querySelector('[role=slider]').focus(), '')`)
	b.press(kb.ArrowRight)
	b.sees("1 item at 2026-11-26 12:02:59")
	b.press(kb.ArrowRight)
	b.sees("2 items at 2026-11-26 12:03:00")
	b.press(kb.PageDown)
	b.sees("1 item at 2026-11-26 12:02:50")
	b.press(kb.Home)
	b.sees("0 items at 2026-11-26 12:00:00")
	b.press(kb.End)
	b.sees("1 item now")

	b.click("All")
	b.sees("12:20:00")
	b.do(chromedp.MouseClickXY(b.onTimeline(0.1)))
	b.sees("1 item at 2026-11-26 12:02:00", "ana 1 paid")
	b.look(390, "light")
	b.touch(b.onTimeline(0.155))
	b.sees("2 items at 2026-11-26 12:03:")
	b.click("Now")
	b.sees("1 item now")
}

// TestHistoryOfAnItem sees each version of an item, from the page of items too, and what differs between two moments.
func TestHistoryOfAnItem(t *testing.T) {
	t.Parallel()
	b := open(t, "/", emulator.WithManualClock(noon))
	client := history(b)
	b.visit("/dynamodb/tables/orders/history#2026-11-26T12:03:00Z")
	b.click("ana")
	b.sees("History of ana / 1", "2026-11-26 12:04:00 Deleted", "DeleteItem by", "− state removed paid",
		"2026-11-26 12:02:00 Put", "~ state changed open → paid", "2026-11-26 12:01:00 Created", "+ state added open")
	putItem(t, client, "orders", order("ana", 1, "again"))
	b.sees("2026-11-26 12:20:00 Created", "+ state added again")
	b.click("Show the table then, 2026-11-26 12:02:00")
	b.sees("1 item at 2026-11-26 12:02:00", "ana 1 paid")

	b.click("Compare with…")
	b.sees("1 item differs between 2026-11-26 12:00:00 and 2026-11-26 12:02:00", "Added ana / 1")
	b.choose("Compare with (UTC)", "2026-11-26 12:01:00")
	b.sees("1 item differs between 2026-11-26 12:01:00 and 2026-11-26 12:02:00", "Changed ana / 1 ~ state changed open → paid")
	b.choose("Compare with (UTC)", "2026-11-26 12:04:30")
	b.sees("2 items differ between 2026-11-26 12:02:00 and 2026-11-26 12:04:30", "Removed ana / 1", "Added ben / 2")
	b.click("ben / 2")
	b.sees("History of ben / 2")
	b.click("Close")
	b.click("Stop comparing")
	b.sees("1 item at 2026-11-26 12:02:00")

	b.visit("/dynamodb/tables/orders")
	b.click("Select ben")
	b.click("Item history")
	b.sees("History of ben / 2", "2026-11-26 12:03:00 Created")
	b.click("Show the table then, 2026-11-26 12:03:00")
	b.sees("2 items at 2026-11-26 12:03:00")
}

// TestRestoreFromHistory restores an earlier state to a new table, and sees it being created and then ready.
func TestRestoreFromHistory(t *testing.T) {
	t.Parallel()
	b := open(t, "/", emulator.WithManualClock(noon), emulator.WithLikeCloud(emulator.States))
	ordersTable(t, b.emulator)
	b.must(b.emulator.Advance(time.Hour))
	b.visit("/dynamodb/tables/orders/history")
	b.click("Enable point-in-time recovery")
	b.sees("0 items now")
	client := dynamodb.NewFromConfig(b.emulator.AWSConfig())
	for _, state := range []string{"open", "paid"} {
		putItem(t, client, "orders", order("ana", 1, state))
		b.must(b.emulator.Advance(time.Hour))
	}
	b.choose("Time (UTC)", "2026-11-26 13:30")
	b.sees("1 item at 2026-11-26 13:30:00", "open")
	b.click("Restore to a new table…")
	b.sees("were at 2026-11-26 13:30:00 UTC")
	b.fill("Name of the new table", "orders")
	b.click("Restore")
	b.sees("TableAlreadyExistsException:")
	b.fill("Name of the new table", "as-it-was")
	b.click("Restore")
	b.sees("The table as-it-was is being created")
	b.check("restoring")
	b.must(b.emulator.Advance(24 * time.Hour))
	b.sees("The table as-it-was is ready")
	b.click("as-it-was")
	b.sees("1 item", "open", "Last page")
}

// TestHistoryOfAContainer looks at a container at each of its states, at an item's versions, and restores a state.
func TestHistoryOfAContainer(t *testing.T) {
	t.Parallel()
	b := open(t, "/", emulator.WithManualClock(noon), emulator.WithCosmosContinuousBackup(7))
	container := ordersContainer(t, b.emulator)
	for _, body := range []string{`{"id":"1","customer":"ana","total":12345678901234567890}`,
		`{"id":"1","customer":"ana","total":12345678901234567891,"address":{"city":"Lisbon"}}`} {
		b.must(b.emulator.Advance(time.Minute))
		upsert(t, container, "ana", body)
	}
	b.visit("/cosmos/shop/orders/history")
	b.sees("1 item now", "12345678901234567891")
	b.must(b.emulator.Advance(time.Minute))
	upsert(t, container, "ben", `{"id":"2","customer":"ben"}`)
	b.sees("2 items now")
	b.must(b.emulator.Advance(time.Minute))
	_, err := container.DeleteItem(t.Context(), azcosmos.NewPartitionKeyString("ana"), "1", nil)
	b.must(err)
	b.sees("1 item now")
	b.choose("Time (UTC)", "2026-11-26 12:01:30")
	b.sees("1 item at 2026-11-26 12:01:30", "12345678901234567890")
	b.choose("Time (UTC)", "2026-11-26 12:03:30")
	b.sees("2 items at 2026-11-26 12:03:30")
	b.fill("Only items with partition key", `["ana"]`)
	b.sees("1 item at 2026-11-26 12:03:30")
	b.click("1")
	b.sees("History of ana / 1", "2026-11-26 12:04:00 Deleted", "DeleteDocument by primary key",
		"2026-11-26 12:02:00", "~ total changed 12345678901234567890 → 12345678901234567891", "+ address added",
		"2026-11-26 12:01:00 Created")
	b.check("versions of an item")
	b.click("Show the container then, 2026-11-26 12:02:00")
	b.sees("1 item at 2026-11-26 12:02:00")
	b.click("Compare with…")
	b.choose("Compare with (UTC)", "2026-11-26 12:04:00")
	b.sees("2 items differ between 2026-11-26 12:02:00 and 2026-11-26 12:04:00", "Removed ana / 1", "Added ben / 2")
	b.click("Restore to a new container…")
	b.fill("Name of the new container", "as it was")
	b.click("Restore")
	b.sees("The container as it was is ready")
	b.click("as it was")
	b.sees("1 result", "12345678901234567891")
	b.visit("/cosmos/shop/orders")
	b.click("2")
	b.click("Item history")
	b.sees("History of ben / 2", "2026-11-26 12:03:00 Created")
}

// TestContainerWithoutHistory says what makes the emulator store earlier states.
func TestContainerWithoutHistory(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	ordersContainer(t, b.emulator)
	b.visit("/cosmos/shop/orders/history")
	b.sees("Earlier states are not stored", "--cosmos-continuous-backup")
	b.check("no history")
}

// TestHistoryIsAccessible opens the page and its dialogs in both themes and at two widths.
func TestHistoryIsAccessible(t *testing.T) {
	t.Parallel()
	b := open(t, "/", emulator.WithManualClock(noon))
	history(b)
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			b.look(width, theme)
			for _, clicks := range []string{"", "Compare with…", "ben", "Restore to a new table…"} {
				b.visit("/live") // the same address would not load the page again
				b.visit("/dynamodb/tables/orders/history#2026-11-26T12:03:00Z")
				b.sees("2 items at 2026-11-26 12:03:00")
				if clicks != "" {
					b.click(clicks)
				}
				b.check(strings.TrimSpace(fmt.Sprintf("%s %s, %d px", clicks, theme, width)))
			}
		}
	}
}
