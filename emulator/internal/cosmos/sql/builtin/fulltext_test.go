package builtin

import "testing"

func TestFullTextFindsStemsAndPhrases(t *testing.T) {
	t.Parallel()
	expect(t, map[string]string{
		`FULLTEXTCONTAINS "Red mountain bikes, cheap" | "bike"`:          "true",
		`FULLTEXTCONTAINS "Red mountain bikes, cheap" | "Mountain Bike"`: "true",
		`FULLTEXTCONTAINS "Red mountain bikes, cheap" | "red bike"`:      "false",
		`FULLTEXTCONTAINS "Red mountain bikes" | "the"`:                  "false",
		`FULLTEXTCONTAINS 1 | "bike"`:                                    "undefined",
		`FULLTEXTCONTAINS "a bike" | 1`:                                  "undefined",
		`FULLTEXTCONTAINS "a bicycle" | {"term":"bycicle","distance":2}`: "true",
		`FULLTEXTCONTAINS "a bicycle" | {"term":"bycicle","distance":1}`: "false",
		`FULLTEXTCONTAINS "a bicycle" | {"term":"bycicle","distance":3}`: "undefined",
		`FULLTEXTCONTAINSALL "red bike" | "bike" | "red"`:                "true",
		`FULLTEXTCONTAINSALL "red bike" | "bike" | "blue"`:               "false",
		`FULLTEXTCONTAINSANY "red bike" | "blue" | "red"`:                "true",
		`FULLTEXTCONTAINSANY "red bike" | "blue" | "green"`:              "false",
		`_FULLTEXTWORDCOUNT "The red bike and the other bike"`:           "4",
		`_FULLTEXTSCORE "red bike" | ["green"] | 10 | 100 | [3]`:         "0",
		`_FULLTEXTSCORE "red bike" | ["green"] | 10 | 100 | []`:          "undefined",
	})
}

func TestFullTextScoreOrdersByRelevance(t *testing.T) {
	t.Parallel()
	score := func(text string) float64 {
		args := values(t, text, `["bike","rare"]`, "100", "1000", "[50,1]")
		return scoreWithStatistics(testEnv(), args).Float()
	}
	once, twice, rare, long := score(`"bike red"`), score(`"bike bike"`), score(`"rare red"`),
		score(`"bike one two three four five six seven"`)
	if once >= twice || twice >= rare || long >= once || long <= 0 {
		t.Errorf("once %g, twice %g, rare %g, long %g", once, twice, rare, long)
	}
}

func TestRanksAreFused(t *testing.T) {
	t.Parallel()
	if Fuse([]int{1, 2}, nil) <= Fuse([]int{2, 2}, nil) || Fuse([]int{1, 9}, []float64{2, 0}) != 2.0/61 {
		t.Error("the better ranks don't have the better score")
	}
}

func TestVectors(t *testing.T) {
	t.Parallel()
	expect(t, map[string]string{
		`VECTORDISTANCE [1,0] | [0,1]`:                                                                "0",
		`VECTORDISTANCE [1,2] | [2,4]`:                                                                "1",
		`VECTORDISTANCE [1,2] | [3,4] | false | {"distanceFunction":"dotproduct"}`:                    "11",
		`VECTORDISTANCE [1,2] | [4,6] | true | {"distanceFunction":"euclidean"}`:                      "5",
		`VECTORDISTANCE [1,2] | [1,2,3]`:                                                              "undefined",
		`VECTORDISTANCE [1,"a"] | [1,2]`:                                                              "undefined",
		`VECTORDISTANCE [0,0] | [1,2]`:                                                                "undefined",
		`VECTORDISTANCE [1] | [2] | false | {"distanceFunction":"other"}`:                             "undefined",
		`VECTORDISTANCE [1.5] | [2] | false | {"dataType":"int8"}`:                                    "undefined",
		`VECTORDISTANCE [0.1] | [1] | false | {"distanceFunction":"dotproduct"}`:                      "0.10000000149011612",
		`VECTORDISTANCE [0.1] | [1] | false | {"distanceFunction":"dotproduct","dataType":"float16"}`: "0.0999755859375",
	})
}
