package kefir

import (
	"context"
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// columns returns the columns of an export: the kind of row, then every documented attribute. The members of
// preferences and deviceInfo have their own columns.
func columns() []string {
	return []string{
		"record", "userId", "batchId", "eventId", "reminderId", "deviceId", "email", "name",
		"preferences.notificationsEnabled", "preferences.defaultTemperatureC", "stage", "status",
		"waterVolumeMl", "sugarGrams",
		"fruits", "temperatureC", "startTime", "targetHoursStage1", "bottleCount", "bottleVolumeMl", "temperatureCStage2",
		"startTimeStage2", "targetHoursStage2", "isPublic", "publicNote", "type", "photoUrl", "photoKey", "note",
		"fromStage", "toStage",
		"fromStatus", "toStatus", "message", "dueAt", "schedulerArn", "platform", "pushToken", "deviceInfo.model",
		"deviceInfo.osVersion", "deviceInfo.appVersion", "createdAt", "updatedAt", "lastSeenAt", "sentAt",
		"cancelledAt", "archivedAt",
	}
}

// beginExport reads the first page of a user's items and returns a function that writes the export as CSV (KF-P15): the
// profile, the batches, each followed by its events and reminders, and the devices. It holds one page of the user's
// items and one of a batch's at a time. The export of an empty account has only the header.
func (s *Service) beginExport(ctx context.Context, user string) (write func(io.Writer) error, err error) {
	items, next, err := s.store.readPage(ctx, userPK(user), nil)
	if err != nil {
		return nil, err
	}
	return func(to io.Writer) error {
		out := csv.NewWriter(to)
		if err := out.Write(columns()); err != nil {
			return err
		}
		for {
			if err := s.exportPage(ctx, out, items); err != nil {
				return err
			}
			if len(next) == 0 {
				s.stats.exports.Add(1)
				return nil
			}
			if items, next, err = s.store.readPage(ctx, userPK(user), next); err != nil {
				return err
			}
		}
	}, nil
}

// exportPage writes a page of a user's items, and after each batch the items that belong to it.
func (s *Service) exportPage(ctx context.Context, out *csv.Writer, items []ddb.Item) error {
	for _, in := range items {
		if strings.HasPrefix(ddb.Text(in["SK"]), prefixMarker) {
			continue // hashes of requests, which expire after a day
		}
		if err := out.Write(row(in)); err != nil {
			return err
		}
		id, ok := strings.CutPrefix(ddb.Text(in["SK"]), prefixBatch)
		if !ok {
			continue
		}
		err := s.store.readPartition(ctx, batchPK(ID(id)), func(items []ddb.Item) error {
			for _, in := range items {
				if err := out.Write(row(in)); err != nil {
					return err
				}
			}
			out.Flush()
			return out.Error()
		})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// row returns the cells of an item.
func row(in ddb.Item) []string {
	cells := []string{recordKind(ddb.Text(in["SK"]))}
	for _, name := range columns()[1:] {
		value := in[name]
		if outer, inner, nested := strings.Cut(name, "."); nested {
			value = nil
			if members, ok := in[outer].(*types.AttributeValueMemberM); ok {
				value = members.Value[inner]
			}
		}
		cells = append(cells, cell(value))
	}
	return cells
}

// recordKind returns the kind of an item, by its sort key.
func recordKind(sk string) string {
	kind, _, _ := strings.Cut(sk, "#")
	if kind == sortProfile {
		return "profile"
	}
	return strings.ToLower(kind)
}

// formulaStarts contains the characters that start a formula in a spreadsheet, or that it skips before one; the last
// four are full-width.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

// cell returns a value's text. A text that a spreadsheet would run as a formula gets an apostrophe in front, which the
// spreadsheet does not show; numbers are not formulas.
func cell(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		if first, size := utf8.DecodeRuneInString(v.Value); size > 0 && strings.ContainsRune(formulaStarts, first) {
			return "'" + v.Value
		}
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberBOOL:
		return strconv.FormatBool(v.Value)
	}
	return ""
}
