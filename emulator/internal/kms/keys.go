package kms

// Short operations on keys.

type describeKeyInput struct{ KeyId *string }

func (in *describeKeyInput) check(v *violations) { v.id("keyId", in.KeyId) }

func describeKey(c *call, in *describeKeyInput) (any, error) {
	k, err := c.findAny(*in.KeyId)
	if err != nil {
		return nil, err
	}
	return &keyOutput{c.describe(k)}, c.permit(k)
}

type listKeysInput struct{ pageInput }

func (in *listKeysInput) check(v *violations) { in.checkPage(v, 1000) }

type keyEntry struct{ KeyId, KeyArn string }

func listKeys(c *call, in *listKeysInput) (any, error) {
	keys, next := page(c.sortedKeys(), func(k *key) string { return k.ID }, in.Limit, 100, in.Marker)
	out := struct {
		Keys []keyEntry
		pageOutput
	}{[]keyEntry{}, pageEnd(next)}
	for _, k := range keys {
		out.Keys = append(out.Keys, keyEntry{k.ID, c.arn("key/" + k.ID)})
	}
	return out, c.permitAny()
}

func enableKey(c *call, in *keyInput) (any, error) {
	return c.change(in.KeyId, func(k *key) error {
		k.State = enabled
		k.rotateIfDue(c.now())
		return nil
	})
}

func disableKey(c *call, in *keyInput) (any, error) {
	return c.change(in.KeyId, func(k *key) error {
		k.State = disabled
		return nil
	})
}

type updateKeyDescriptionInput struct {
	keyInput
	Description *string
}

func (in *updateKeyDescriptionInput) check(v *violations) {
	in.keyInput.check(v)
	v.text("description", in.Description, 0, 8192)
}

func updateKeyDescription(c *call, in *updateKeyDescriptionInput) (any, error) {
	return c.change(in.KeyId, func(k *key) error {
		k.Description = *in.Description
		return nil
	})
}

type scheduleKeyDeletionInput struct {
	keyInput
	PendingWindowInDays *int
}

func (in *scheduleKeyDeletionInput) check(v *violations) {
	in.keyInput.check(v)
	v.between("pendingWindowInDays", in.PendingWindowInDays, 7, 30)
}

type deletionOutput struct {
	DeletionDate        float64 `json:",omitempty"`
	KeyId               string
	KeyState            string `json:",omitempty"`
	PendingWindowInDays int    `json:",omitempty"`
}

func scheduleKeyDeletion(c *call, in *scheduleKeyDeletionInput) (any, error) {
	window := 30
	if in.PendingWindowInDays != nil {
		window = *in.PendingWindowInDays
	}
	out := &deletionOutput{KeyState: pendingDeletion, PendingWindowInDays: window}
	_, err := c.change(in.KeyId, func(k *key) error {
		k.State, k.Deletion = pendingDeletion, addDays(c.now(), window)
		out.KeyId, out.DeletionDate = c.arn("key/"+k.ID), k.Deletion
		return nil
	})
	return out, err
}

func cancelKeyDeletion(c *call, in *keyInput) (any, error) {
	k, err := c.find(*in.KeyId)
	if err != nil {
		return nil, err
	}
	if err := c.permit(k); err != nil {
		return nil, err
	}
	if k.State != pendingDeletion {
		return nil, kmsError("KMSInvalidStateException", c.arn("key/"+k.ID)+" is not pending deletion.")
	}
	next := k.clone()
	next.State, next.Deletion = disabled, 0
	return &deletionOutput{KeyId: c.arn("key/" + k.ID)}, c.saveKey(next)
}
