package autoscaling

import "maps"

// listTagsForResourceInput is the input of ListTagsForResource.
type listTagsForResourceInput struct{ resourceInput }

type listTagsForResourceOutput struct{ Tags map[string]string }

func listTagsForResource(c *call, in *listTagsForResourceInput) (any, error) {
	t, err := in.find(c)
	if err != nil {
		return nil, err
	}
	out := listTagsForResourceOutput{map[string]string{}}
	maps.Copy(out.Tags, t.Tags)
	return out, nil
}
