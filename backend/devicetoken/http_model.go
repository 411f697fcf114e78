package devicetoken

// Requests and responses beyond the types of model.go.

type registration struct {
	DeviceID DeviceID  `json:"deviceId"`
	Token    PushToken `json:"expoPushToken"`
	Platform Platform  `json:"platform"`
}

type devicePath struct {
	DeviceID DeviceID `path:"deviceId"`
}

type tokenRequest struct {
	DeviceID DeviceID `path:"deviceId"`
	Body     struct {
		Token PushToken `json:"expoPushToken"`
	}
}

type deviceList struct {
	Devices []Device `json:"devices" nullable:"false"`
}

type userPath struct {
	UserID UserID `path:"userId"`
}

type notification struct {
	UserID UserID `path:"userId"`
	Body   struct {
		Title string            `json:"title" minLength:"1" maxLength:"200" example:"Your photo is ready"`
		Body  string            `json:"body" minLength:"1" maxLength:"2000" example:"Tap to see it."`
		Data  map[string]string `json:"data,omitempty" doc:"Data for the app. Title, body and data together are limited to about 4 KB" example:"{\"jobId\":\"42\"}"`
	}
}

type health struct {
	Status string `json:"status" example:"ok"`
	Schema string `json:"schema" doc:"Version of the schema document" example:"1.0.0"`
}
