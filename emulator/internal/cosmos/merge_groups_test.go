package cosmos

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	sqlplan "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/plan"
)

// mergeGroups merges partial aggregates by group, as SDKs do.
func mergeGroups(info doc.Value, rows []doc.Value) []doc.Value {
	order, groups := []string{}, map[string][]doc.Value{}
	for _, r := range rows {
		key, payload := canonical(r.Field("groupByItems")), r.Field("payload")
		if r.Kind() == doc.List {
			payload = r // SELECT VALUE without groups
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], payload)
	}
	merged := []doc.Value{}
	for _, key := range order {
		if v := mergeGroup(info, groups[key]); v.Defined() {
			merged = append(merged, v)
		}
	}
	return merged
}

func mergeGroup(info doc.Value, payloads []doc.Value) doc.Value {
	if info.Field("hasSelectValue").IsTrue() {
		if info.Field("aggregates").Len() == 0 {
			return payloads[0]
		}
		partials := []doc.Value{}
		for _, p := range payloads {
			partials = append(partials, p.At(0))
		}
		return mergePartials(info.Field("aggregates").At(0).Str(), partials)
	}
	made := doc.Object()
	for _, alias := range info.Field("groupByAliases").Elements() {
		operator := info.Field("groupByAliasToAggregateType").Field(alias.Str()).Str()
		v := payloads[0].Field(alias.Str())
		if operator != "" {
			partials := []doc.Value{}
			for _, p := range payloads {
				partials = append(partials, p.Field(alias.Str()))
			}
			v = mergePartials(operator, partials)
		}
		if v.Defined() {
			made = made.With(alias.Str(), v)
		}
	}
	return made
}

// mergePartials merges the partial results {"item": …, "item2": …} of one aggregate.
func mergePartials(operator string, partials []doc.Value) doc.Value {
	sum, count, all, best := 0.0, 0.0, []doc.Value{}, doc.Value{}
	for _, p := range partials {
		item, item2 := p.Field("item"), p.Field("item2")
		switch operator {
		case "Count", "CountIf":
			sum += item.Float()
		case "Sum":
			if !item.Defined() {
				return doc.Value{}
			}
			sum += item.Float()
		case "Average":
			if item.Field("count").Float() > 0 && !item.Field("sum").Defined() {
				return doc.Value{}
			}
			sum, count = sum+item.Field("sum").Float(), count+item.Field("count").Float()
		case "Min", "Max":
			sign := map[string]int{"Min": 1, "Max": -1}[operator]
			v := item2.Field(strings.ToLower(operator))
			switch {
			case item2.Field("count").Float() == 0:
			case !v.Defined():
				return v
			case !best.Defined() || sign*doc.Compare(v, best) < 0:
				best = v
			}
		default: // MakeList, MakeSet
			all = append(all, item.Elements()...)
		}
	}
	switch operator {
	case "Min", "Max":
		return best
	case "MakeList":
		return doc.Array(all...)
	case "MakeSet":
		return doc.Array(distinctRows(all)...)
	case "Average":
		if count == 0 {
			return doc.Value{}
		}
		return doc.Number(sum / count)
	}
	return doc.Number(sum)
}

// hybrid runs a hybrid search: first the statistics, then a query per score, whose ranks it fuses.
func (m *merger) hybrid(t *testing.T, plan doc.Value, parameters []any) []doc.Value {
	t.Helper()
	info := plan.Field("hybridSearchQueryInfo")
	fill := strings.NewReplacer(sqlplan.Filter, "true")
	if info.Field("requiresGlobalStatistics").IsTrue() {
		fill = statisticsOf(m.each(t, plan, info.Field("globalStatisticsQuery").Str(), parameters),
			info.Field("componentQueryInfos"))
	}
	rows, seen := []doc.Value{}, map[string]bool{}
	for _, c := range info.Field("componentQueryInfos").Elements() {
		for _, part := range m.each(t, plan, fill.Replace(c.Field("rewrittenQuery").Str()), parameters) {
			for _, r := range part {
				if rid := r.Field("_rid").Str(); !seen[rid] {
					seen[rid] = true
					rows = append(rows, r)
				}
			}
		}
	}
	ranked := fuse(rows, info)
	skip := min(len(ranked), int(info.Field("skip").Float()))
	return ranked[skip:min(len(ranked), skip+int(info.Field("take").Float()))]
}

// statisticsOf sums the statistics of all partitions and returns a replacer for their placeholders.
func statisticsOf(parts [][]doc.Value, components doc.Value) *strings.Replacer {
	documents := 0.0
	words, hits := map[int]float64{}, map[int][]float64{}
	for _, part := range parts {
		documents += part[0].Field("documentCount").Float()
		for i, s := range part[0].Field("fullTextStatistics").Elements() {
			words[i] += s.Field("totalWordCount").Float()
			for j, h := range s.Field("hitCounts").Elements() {
				if len(hits[i]) <= j {
					hits[i] = append(hits[i], 0)
				}
				hits[i][j] += h.Float()
			}
		}
	}
	const prefix = "{documentdb-formattablehybridsearchquery-"
	pairs, next := []string{sqlplan.Filter, "true", prefix + "totaldocumentcount}", doc.Number(documents).JSON()}, 0
	for i, c := range components.Elements() {
		own := doc.Number(float64(i)).JSON() + "}"
		if !strings.Contains(c.Field("orderByExpressions").At(0).Str(), prefix+"totalwordcount-"+own) {
			continue // a vector score
		}
		list := []doc.Value{}
		for _, h := range hits[next] {
			list = append(list, doc.Number(h))
		}
		pairs = append(pairs, prefix+"totalwordcount-"+own, doc.Number(words[next]).JSON(), prefix+"hitcountsarray-"+own,
			doc.Array(list...).JSON())
		next++
	}
	return strings.NewReplacer(pairs...)
}

// rrfConstant is the constant that all SDKs add to a rank.
const rrfConstant = 60

// fuse sorts rows by the sum of 1/(60 + rank) over their scores.
func fuse(rows []doc.Value, info doc.Value) []doc.Value {
	fused := make([]float64, len(rows))
	for i, c := range info.Field("componentQueryInfos").Elements() {
		weight := 1.0
		if w := info.Field("componentWeights"); w.Len() > 0 {
			weight = w.At(i).Float() // a negative weight reverses the order
		}
		scores := []float64{}
		for _, r := range rows {
			scores = append(scores, r.Field("payload").Field("componentScores").At(i).Float())
		}
		for row, rank := range ranks(scores, c.Field("orderBy").At(0).Str() == "Descending") {
			fused[row] += weight / float64(rrfConstant+rank)
		}
	}
	return byScore(rows, fused)
}
