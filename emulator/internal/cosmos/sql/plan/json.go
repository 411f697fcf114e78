package plan

import (
	"bytes"
	"maps"
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// version is the version of the plan format, which clients check.
const version = 2

// Append appends the plan as the gateway writes it.
func (p *Plan) Append(dst []byte) []byte {
	dst = doc.Append(dst, p.json())
	if p.Hybrid == nil || len(p.Hybrid.Weights) == 0 {
		return dst
	}
	const name = `"componentWeights":`
	return bytes.Replace(dst, append([]byte(name), doc.Append(nil, p.Hybrid.weights())...),
		p.Hybrid.appendDecimals([]byte(name)), 1)
}

// appendDecimals appends the weights as numbers with a fraction: the Java SDK parses no others.
func (h *Hybrid) appendDecimals(dst []byte) []byte {
	for i, w := range h.Weights {
		dst = append(dst, "[,"[min(i, 1)])
		text := strconv.AppendFloat(nil, w, 'f', -1, 64)
		if dst = append(dst, text...); !bytes.ContainsRune(text, '.') {
			dst = append(dst, ".0"...)
		}
	}
	return append(dst, ']')
}

func (h *Hybrid) weights() doc.Value {
	all := []doc.Value{}
	for _, w := range h.Weights {
		all = append(all, doc.Number(w))
	}
	return doc.Array(all...)
}

func (p *Plan) json() doc.Value {
	ranges := make([]doc.Value, 0, len(p.Ranges))
	for _, r := range p.Ranges {
		ranges = append(ranges, members("min", doc.String(r.Min), "max", doc.String(r.Max),
			"isMinInclusive", doc.Bool(true), "isMaxInclusive", doc.Bool(r.MaxInclusive)))
	}
	return members("partitionedQueryExecutionInfoVersion", doc.Number(version), "queryInfo", p.Info.json(),
		"queryRanges", doc.Array(ranges...), "hybridSearchQueryInfo", p.Hybrid.json())
}

func (i *Info) json() doc.Value {
	if i == nil {
		return doc.NullValue()
	}
	aliases := doc.Object()
	for _, alias := range slices.Sorted(maps.Keys(i.AliasAggregates)) {
		operator := doc.NullValue()
		if name := i.AliasAggregates[alias]; name != "" {
			operator = doc.String(name)
		}
		aliases = aliases.With(alias, operator)
	}
	counted := doc.NullValue()
	if i.DistinctCount != nil {
		counted = members("dCountAlias", doc.String(*i.DistinctCount))
	}
	return members(
		"distinctType", doc.String(i.Distinct), "top", number(i.Top), "offset", number(i.Offset), "limit", number(i.Limit),
		"orderBy", texts(i.OrderBy), "orderByExpressions", texts(i.OrderByExpressions),
		"groupByExpressions", texts(i.GroupByExpressions), "groupByAliases", texts(i.GroupByAliases),
		"aggregates", texts(i.Aggregates), "groupByAliasToAggregateType", aliases,
		"rewrittenQuery", doc.String(i.Rewritten), "hasSelectValue", doc.Bool(i.SelectValue),
		"dCountInfo", counted, "hasNonStreamingOrderBy", doc.Bool(i.NonStreaming))
}

func (h *Hybrid) json() doc.Value {
	if h == nil {
		return doc.NullValue()
	}
	components := []doc.Value{}
	for _, c := range h.Components {
		components = append(components, c.json())
	}
	return members("globalStatisticsQuery", doc.String(h.Statistics), "componentQueryInfos", doc.Array(components...),
		"componentWeights", h.weights(), "skip", number(h.Skip), "take", number(h.Take),
		"requiresGlobalStatistics", doc.Bool(h.RequiresStatistics))
}

// members returns an object of alternating names and values.
func members(parts ...any) doc.Value {
	all := make([]doc.Member, 0, len(parts)/2)
	for i := 0; i < len(parts); i += 2 {
		all = append(all, doc.Member{Name: parts[i].(string), Value: parts[i+1].(doc.Value)})
	}
	return doc.Object(all...)
}

func number(n *int64) doc.Value {
	if n == nil {
		return doc.NullValue()
	}
	return doc.Number(float64(*n))
}

func texts(all []string) doc.Value {
	values := make([]doc.Value, 0, len(all))
	for _, s := range all {
		values = append(values, doc.String(s))
	}
	return doc.Array(values...)
}
