Feature: Invalid requests name the field
  Every field of every request has a rule. A request that breaks one is refused with the name of the field, and
  nothing is written.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-R3.refused
  Scenario Outline: A batch whose "<field>" is <value> is refused
    When "ana" starts a batch whose "<field>" is <value>
    Then the response is 422
    And the response names the field "body.<field>"
    And the store received no request

    Examples: recipe
      | field             | value                       |
      | name              | missing                     |
      | name              | ""                          |
      | name              | "  "                        |
      | name              | 7                           |
      | name              | "101×a"                     |
      | name              | "a\u0000b"                  |
      | waterVolumeMl     | missing                     |
      | waterVolumeMl     | 0                           |
      | waterVolumeMl     | -1                          |
      | waterVolumeMl     | 1.5                         |
      | waterVolumeMl     | "1000"                      |
      | waterVolumeMl     | 1e300                       |
      | sugarGrams        | missing                     |
      | sugarGrams        | -0.5                        |
      | sugarGrams        | 0.001                       |
      | sugarGrams        | "sweet"                     |
      | fruits            | 7                           |
      | fruits            | "501×a"                     |
      | temperatureC      | 61                          |
      | temperatureC      | "warm"                      |
      | startTime         | "yesterday"                 |
      | startTime         | "2026-02-30T00:00:00Z"      |
      | startTime         | "2026-02-03T10:30:00+01:00" |
      | startTime         | 1704067800000               |
      | targetHoursStage1 | missing                     |
      | targetHoursStage1 | 0                           |
      | targetHoursStage1 | 10001                       |

    Examples: sharing
      | field      | value   |
      | isPublic   | "yes"   |
      | publicNote | "1001×a" |
      | publicNote | ["a"]   |

    Examples: fields that cannot be set
      | field      | value                  |
      | userId     | "bob"                  |
      | batchId    | "abc"                  |
      | status     | "archived"             |
      | stage      | 2                      |
      | createdAt  | "2020-01-01T00:00:00Z" |
      | PK         | "USER#bob"             |
      | GSI1PK     | "BATCH#abc"            |

  @KF-R3.refused
  Scenario Outline: An invalid change, bottling or list of batches is refused: <request>
    When "ana" sends <request>
    Then the response is <status>
    And the response names the field "<field>"
    And the store received no UpdateItem
    And the store received no TransactWriteItems

    Examples:
      | request                                                                                                             | status | field                   |
      | PATCH /batches/{ginger} with {}                                                                                     | 422    | body                    |
      | PATCH /batches/{ginger} with {"name": ""}                                                                           | 422    | body.name               |
      | PATCH /batches/{ginger} with {"waterVolumeMl": "1"}                                                                 | 422    | body.waterVolumeMl      |
      | PATCH /batches/{ginger} with {"sugarGrams": 1.234}                                                                  | 422    | body.sugarGrams         |
      | PATCH /batches/{ginger} with {"fruits": "\u0007"}                                                                   | 422    | body.fruits             |
      | PATCH /batches/{ginger} with {"temperatureC": 100}                                                                  | 422    | body.temperatureC       |
      | PATCH /batches/{ginger} with {"startTime": "x"}                                                                     | 422    | body.startTime          |
      | PATCH /batches/{ginger} with {"targetHoursStage1": 0}                                                               | 422    | body.targetHoursStage1  |
      | PATCH /batches/{ginger} with {"bottleCount": 0}                                                                     | 422    | body.bottleCount        |
      | PATCH /batches/{ginger} with {"bottleVolumeMl": 0}                                                                  | 422    | body.bottleVolumeMl     |
      | PATCH /batches/{ginger} with {"temperatureCStage2": 20}                                                             | 422    | body.temperatureCStage2 |
      | PATCH /batches/{ginger} with {"startTimeStage2": "2026-02-03T10:30:00Z"}                                            | 422    | body.startTimeStage2    |
      | PATCH /batches/{ginger} with {"targetHoursStage2": 24}                                                              | 422    | body.targetHoursStage2  |
      | PATCH /batches/{ginger} with {"isPublic": 1}                                                                        | 422    | body.isPublic           |
      | PATCH /batches/{ginger} with {"publicNote": "\u0000"}                                                               | 422    | body.publicNote         |
      | PATCH /batches/{ginger} with {"userId": "bob"}                                                                      | 422    | body.userId             |
      | PATCH /batches/a%23b with {"name": "x"}                                                                             | 422    | path.batchId            |
      | POST /batches/{ginger}/stage with {"bottleCount": 3, "bottleVolumeMl": 330, "targetHoursStage2": 24}                | 422    | body.stage              |
      | POST /batches/{ginger}/stage with {"stage": 2, "bottleVolumeMl": 330, "targetHoursStage2": 24}                      | 422    | body.bottleCount        |
      | POST /batches/{ginger}/stage with {"stage": 2, "bottleCount": 3, "bottleVolumeMl": 0, "targetHoursStage2": 24}      | 422    | body.bottleVolumeMl     |
      | POST /batches/{ginger}/stage with {"stage": 2, "bottleCount": 3, "bottleVolumeMl": 330, "targetHoursStage2": "day"} | 422    | body.targetHoursStage2  |
      | POST /batches/{ginger}/stage with {"stage": 2, "bottleCount": 3, "bottleVolumeMl": 330, "targetHoursStage2": 24, "temperatureCStage2": 99} | 422 | body.temperatureCStage2 |
      | POST /batches/{ginger}/stage with {"stage": 2, "bottleCount": 3, "bottleVolumeMl": 330, "targetHoursStage2": 24, "startTimeStage2": 7} | 422 | body.startTimeStage2 |
      | POST /batches/{ginger}/status with {}                                                                               | 422    | body.status             |
      | GET /batches?limit=0                                                                                                | 422    | query.limit             |
      | GET /batches?limit=1001                                                                                             | 422    | query.limit             |
      | GET /batches?limit=ten                                                                                              | 422    | query.limit             |
      | GET /batches?colour=red                                                                                             | 422    | query.colour            |
      | GET /batches?cursor=bWFkZSB1cA                                                                                      | 400    | query.cursor            |
      | GET /batches/a%20b                                                                                                  | 422    | path.batchId            |
      | POST /batches with {"name":                                                                                         | 400    | body                    |
      | POST /batches with []                                                                                               | 422    | body                    |

  @KF-R4.refused
  Scenario Outline: An invalid event or list of events is refused: <request>
    When "ana" sends <request>
    Then the response is <status>
    And the response names the field "<field>"
    And the store received no request

    Examples:
      | request                                                                                | status | field          |
      | GET /batches/{ginger}/events?order=up                                                  | 422    | query.order    |
      | GET /batches/{ginger}/events?after=yesterday                                           | 422    | query.after    |
      | GET /batches/{ginger}/events?after=2026-13-01T00:00:00Z                                | 422    | query.after    |
      | GET /batches/{ginger}/events?limit=0                                                   | 422    | query.limit    |
      | GET /batches/{ginger}/events?cursor=e30                                                | 400    | query.cursor   |
      | GET /batches/65×a/events                                                               | 422    | path.batchId   |
      | POST /batches/{ginger}/events with {"type": "note", "note": "2001×a"}                  | 422    | body.note      |
      | POST /batches/{ginger}/events with {"type": "note", "note": 7}                         | 422    | body.note      |
      | POST /batches/{ginger}/events with {"type": "note", "note": "\u0000"}                  | 422    | body.note      |
      | POST /batches/{ginger}/events with {"type": "photo", "photoUrl": "http://x"}           | 422    | body.photoUrl  |
      | POST /batches/{ginger}/events with {"type": "photo", "photoUrl": "https://x", "photoKey": "a b"} | 422 | body.photoKey |
      | POST /batches/{ginger}/events with {"type": "note", "note": "x", "eventId": "abc"}     | 422    | body.eventId   |

  @KF-R5.refused
  Scenario Outline: An invalid reminder is refused: <request>
    When "ana" sends <request>
    Then the response is <status>
    And the response names the field "<field>"
    And the store received no request

    Examples:
      | request                                                                                                 | status | field           |
      | POST /batches/{ginger}/reminders with {"message": "", "dueAt": "2099-01-01T00:00:00Z"}                  | 422    | body.message    |
      | POST /batches/{ginger}/reminders with {"message": "501×a", "dueAt": "2099-01-01T00:00:00Z"}             | 422    | body.message    |
      | POST /batches/{ginger}/reminders with {"dueAt": "2099-01-01T00:00:00Z"}                                 | 422    | body.message    |
      | POST /batches/{ginger}/reminders with {"message": "a"}                                                  | 422    | body.dueAt      |
      | POST /batches/{ginger}/reminders with {"message": "a", "dueAt": "{now}"}                                | 422    | body.dueAt      |
      | POST /batches/{ginger}/reminders with {"message": "a", "dueAt": "2099-01-01T00:00:00Z"}                 | 422    | body.dueAt      |
      | POST /batches/{ginger}/reminders with {"message": "a", "dueAt": "2020-01-01T00:00:00Z"}                 | 422    | body.dueAt      |
      | POST /batches/{ginger}/reminders with {"message": "a", "dueAt": 7}                                      | 422    | body.dueAt      |
      | POST /batches/{ginger}/reminders with {"message": "a", "dueAt": "2099-01-01T00:00:00Z", "status": "sent"} | 422  | body.status     |
      | GET /batches/{ginger}/reminders?cursor=!                                                                | 400    | query.cursor    |
      | POST /batches/{ginger}/reminders/a%23b/cancel                                                           | 422    | path.reminderId |
      | GET /reminders/upcoming?days=0                                                                          | 422    | query.days      |
      | GET /reminders/upcoming?days=367                                                                        | 422    | query.days      |

  @KF-R11.refused
  Scenario Outline: An invalid profile or device is refused: <request>
    When "ana" sends <request>
    Then the response is 422
    And the response names the field "<field>"
    And the store received no request

    Examples:
      | request                                                                                                                  | field                                 |
      | PUT /profile with {}                                                                                                     | body.email                            |
      | PUT /profile with {"email": "nobody"}                                                                                    | body.email                            |
      | PUT /profile with {"email": 7}                                                                                           | body.email                            |
      | PUT /profile with {"email": "ana@example.com", "name": "101×a"}                                                          | body.name                             |
      | PUT /profile with {"email": "ana@example.com", "userId": "bob"}                                                          | body.userId                           |
      | PUT /profile with {"email": "ana@example.com", "preferences": {"notificationsEnabled": "on"}}                            | body.preferences.notificationsEnabled |
      | PUT /profile with {"email": "ana@example.com", "preferences": {"colour": "red"}}                                         | body.preferences.colour               |
      | PUT /devices/a%23b with {"platform": "ios", "pushToken": "ExponentPushToken[x]"}                                         | path.deviceId                         |
      | PUT /devices/.phone with {"platform": "ios", "pushToken": "ExponentPushToken[x]"}                                        | path.deviceId                         |
      | PUT /devices/129×a with {"platform": "ios", "pushToken": "ExponentPushToken[x]"}                                         | path.deviceId                         |
      | PUT /devices/phone with {"pushToken": "ExponentPushToken[x]"}                                                            | body.platform                         |
      | PUT /devices/phone with {"platform": "ios"}                                                                              | body.pushToken                        |
      | PUT /devices/phone with {"platform": "ios", "pushToken": "a b"}                                                          | body.pushToken                        |
      | PUT /devices/phone with {"platform": "ios", "pushToken": "x"}                                                            | body.pushToken                        |
      | PUT /devices/phone with {"platform": "ios", "pushToken": "ExponentPushToken[129×a]"}                                     | body.pushToken                        |
      | PUT /devices/phone with {"platform": "ios", "pushToken": "ExponentPushToken[x]", "deviceInfo": {"model": 7}}             | body.deviceInfo.model                 |
      | PUT /devices/phone with {"platform": "ios", "pushToken": "ExponentPushToken[x]", "deviceInfo": {"osVersion": "101×a"}}   | body.deviceInfo.osVersion             |
      | PUT /devices/phone with {"platform": "ios", "pushToken": "ExponentPushToken[x]", "deviceInfo": {"appVersion": "\u0000"}} | body.deviceInfo.appVersion            |
      | GET /devices?limit=-1                                                                                                    | query.limit                           |

  @KF-R3.refused
  Scenario Outline: An invalid query of the operator is refused: <request>
    When the operator sends <request>
    Then the response is <status>
    And the response names the field "<field>"
    And the store received no request

    Examples:
      | request                                     | status | field        |
      | GET /admin/batches                          | 422    | query.status |
      | GET /admin/batches?status=drunk             | 422    | query.status |
      | GET /admin/batches?status=ready&cursor=e30  | 400    | query.cursor |
      | GET /admin/reminders/due?by=luck            | 422    | query.by     |
      | GET /admin/reminders/due?limit=0            | 422    | query.limit  |
