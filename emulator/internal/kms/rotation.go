package kms

// maxOnDemand is the largest number of on-demand rotations of a key.
const maxOnDemand = 25

// defaultRotationPeriod is the default rotation period in days.
const defaultRotationPeriod = 365

type enableKeyRotationInput struct {
	keyInput
	RotationPeriodInDays *int
}

func (in *enableKeyRotationInput) check(v *violations) {
	in.keyInput.check(v)
	v.between("rotationPeriodInDays", in.RotationPeriodInDays, 90, 2560)
}

// changeRotation changes a key that can be rotated and used.
func (c *call) changeRotation(ref *string, fn func(k *key) error) (any, error) {
	return c.change(ref, func(k *key) error {
		if err := c.checkRotatable(k); err != nil {
			return err
		}
		if err := c.checkUsable(k); err != nil {
			return err
		}
		return fn(k)
	})
}

// enableKeyRotation starts a rotation period now, or continues the current one; a new period length counts from now.
func enableKeyRotation(c *call, in *enableKeyRotationInput) (any, error) {
	return c.changeRotation(in.KeyId, func(k *key) error {
		period := defaultRotationPeriod
		if in.RotationPeriodInDays != nil {
			period = *in.RotationPeriodInDays
		}
		if !k.Rotates || k.Period != period {
			k.Rotates, k.Period, k.Next = true, period, addDays(c.now(), period)
		}
		return nil
	})
}

func disableKeyRotation(c *call, in *keyInput) (any, error) {
	return c.changeRotation(in.KeyId, func(k *key) error {
		k.Rotates = false
		return nil
	})
}

// rotateIfDue makes up for the rotation that a key missed while it could not be used.
func (k *key) rotateIfDue(now float64) {
	if k.Rotates && k.Next <= now {
		k.addMaterial(now, "AUTOMATIC")
		k.Next = addDays(now, k.Period)
	}
}

func getKeyRotationStatus(c *call, in *keyInput) (any, error) {
	k, err := c.rotatingKey(in.KeyId)
	if err != nil {
		return nil, err
	}
	out := &struct {
		KeyId                string
		KeyRotationEnabled   bool
		NextRotationDate     float64 `json:",omitempty"`
		RotationPeriodInDays int     `json:",omitempty"`
	}{KeyId: c.arn("key/" + k.ID), KeyRotationEnabled: k.Rotates && k.State != pendingDeletion}
	if out.KeyRotationEnabled {
		out.NextRotationDate, out.RotationPeriodInDays = k.Next, k.Period
	}
	return out, nil
}

// rotatingKey returns a key whose rotations the caller may see.
func (c *call) rotatingKey(ref *string) (*key, error) {
	k, err := c.find(*ref)
	if err != nil {
		return nil, err
	}
	if err := c.permit(k); err != nil {
		return nil, err
	}
	return k, c.checkRotatable(k)
}

// rotateKeyOnDemand rotates at once; the service takes some minutes.
func rotateKeyOnDemand(c *call, in *keyInput) (any, error) {
	out := &struct{ KeyId string }{}
	_, err := c.changeRotation(in.KeyId, func(k *key) error {
		out.KeyId = c.arn("key/" + k.ID)
		if k.OnDemand == maxOnDemand {
			return kmsError("LimitExceededException", "The on-demand rotations limit has been reached for the given keyId. "+
				"No more on-demand rotations can be performed for this key: "+out.KeyId)
		}
		k.OnDemand++
		k.addMaterial(c.now(), "ON_DEMAND")
		return nil
	})
	return out, err
}

type listKeyRotationsInput struct {
	keyInput
	IncludeKeyMaterial *string
	pageInput
}

func (in *listKeyRotationsInput) check(v *violations) {
	in.keyInput.check(v)
	v.enum("includeKeyMaterial", in.IncludeKeyMaterial, "ALL_KEY_MATERIAL", "ROTATIONS_ONLY")
	in.checkPage(v, 1000)
}

type rotationEntry struct {
	KeyId            string
	KeyMaterialId    string
	KeyMaterialState string
	RotationDate     float64 `json:",omitempty"`
	RotationType     string  `json:",omitempty"`
	number           string
}

func listKeyRotations(c *call, in *listKeyRotationsInput) (any, error) {
	k, err := c.rotatingKey(in.KeyId)
	if err != nil {
		return nil, err
	}
	all, next := page(c.rotations(k, orZero(in.IncludeKeyMaterial) == "ALL_KEY_MATERIAL"),
		func(r rotationEntry) string { return r.number }, in.Limit, 100, in.Marker)
	return struct {
		Rotations []rotationEntry
		pageOutput
	}{all, pageEnd(next)}, nil
}

// rotations returns the completed rotations and, if first is set, the first material, which is not from a rotation.
func (a *account) rotations(k *key, first bool) []rotationEntry {
	list := []rotationEntry{}
	for i, m := range k.Materials {
		if i == 0 && !first {
			continue
		}
		r := rotationEntry{KeyId: a.arn("key/" + k.ID), KeyMaterialId: k.materialID(i), KeyMaterialState: "NON_CURRENT",
			RotationType: m.Rotated, number: ordinal(i)}
		if i == k.current() {
			r.KeyMaterialState = "CURRENT"
		}
		if i > 0 {
			r.RotationDate = m.Since
		}
		list = append(list, r)
	}
	return list
}
