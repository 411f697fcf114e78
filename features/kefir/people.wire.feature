Feature: Users, their devices and their accounts, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @KF-P1
  Scenario: A user reads the profile, on the wire
    Given "ana" saves her profile as {"email": "ana@example.com", "name": "Ana", "preferences": {"notificationsEnabled": false, "defaultTemperatureC": 24.5}}
    When "ana" looks at her profile
    Then the store received a GetItem of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'METADATA'", consistent

  @KF-R11.defaults
  Scenario: Preferences that were not set have their defaults and are not stored
    When "ana" saves her profile as {"email": "ana@example.com"}
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'METADATA'" has no "preferences"

  @KF-R11.preferred
  Scenario: A batch without a temperature gets the one of the user's preferences
    Given "ana" saves her profile as {"email": "ana@example.com", "preferences": {"defaultTemperatureC": 25.5}}
    When "ana" sends POST /batches with {"name": "figs", "waterVolumeMl": 1000, "sugarGrams": 60, "targetHoursStage1": 48}
    Then the response is 201
    And the response's "temperatureC" is "25.5"

  @KF-P11
  Scenario: A user's devices are listed by one query
    Given "ana" has registered the device "phone" as {"platform": "ios", "pushToken": "ExponentPushToken[1]"}
    And "ana" has registered the device "browser" as {"platform": "web", "pushToken": "ExponentPushToken[2]"}
    And "bob" has registered the device "other" as {"platform": "android", "pushToken": "ExponentPushToken[3]"}
    When "ana" lists her devices
    Then the store received a Query of "kefir-app-dev-table" where "PK = 'USER#ana' AND begins_with(SK, 'DEVICE#')"

  @KF-P12
  Scenario: A user reads one device by its id, on the wire
    Given "ana" has registered the device "phone" as {"platform": "ios", "pushToken": "ExponentPushToken[1]", "deviceInfo": {"model": "X"}}
    When "ana" looks at the device "phone"
    Then the store received a GetItem of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'DEVICE#phone'", consistent

  @KF-R11.platform
  Scenario Outline: A device on <platform> is <answer>
    When "ana" registers the device "phone" as {"platform": <platform>, "pushToken": "ExponentPushToken[1]"}
    Then the response is <status>

    Examples:
      | platform  | answer  | status |
      | "ios"     | taken   | 201    |
      | "android" | taken   | 201    |
      | "web"     | taken   | 201    |
      | "iOS"     | refused | 422    |
      | "palm"    | refused | 422    |
      | ""        | refused | 422    |
      | 7         | refused | 422    |

  @KF-R11.number
  Scenario Outline: A default temperature of <value> is refused
    When "ana" saves her profile as {"email": "ana@example.com", "preferences": {"defaultTemperatureC": <value>}}
    Then the response is 422
    And the response names the field "body.preferences.defaultTemperatureC"
    And the store received no request

    Examples:
      | value  |
      | "warm" |
      | "22"   |
      | true   |
      | 22.125 |
      | 61     |
      | -1e9   |

  @KF-R9.limit
  Scenario: A deleted account leaves nothing, and is deleted 25 items at a time
    Given "ana" has a kitchen of 2 batches with 30 notes and a reminder each
    And "bob" has a kitchen of 1 batch with 2 notes and a reminder each
    When "ana" deletes her account
    Then the response is 204
    And table "kefir-app-dev-table" holds 6 items
    And the store received 5 requests: BatchWriteItem of "kefir-app-dev-table"
    And no table contains "ana"

  @KF-R9.stragglers
  Scenario: Data that is added during the deletion of an account is deleted too
    Given "ana" has started the batch "ginger"
    When "ana" deletes her account while adding the note "fizzy" to "ginger"
    Then table "kefir-app-dev-table" holds no items

  @KF-R9.stragglers
  Scenario: A note whose write arrives after the deletion of its account is not kept
    Given "ana" has started the batch "ginger"
    When "ana" adds the note "fizzy" to "ginger" while deleting her account
    Then the response is 404
    And table "kefir-app-dev-table" holds no items

  @KF-R9.retry @KF-R9.backoff @needs:commands
  Scenario: Unprocessed items are retried until none is left
    Given "ana" has a kitchen of 1 batch with 30 notes and a reminder each
    And the next 3 BatchWriteItem of "kefir-app-dev-table" leave 20 of its items unprocessed
    When "ana" deletes her account
    Then the response is 204
    And 3 faults occurred
    And it retried after 25, 50 and 100 milliseconds, with up to 50% jitter

  @KF-R9.retry @needs:commands
  Scenario: A deletion fails after twelve attempts without progress
    Given "ana" has a kitchen of 1 batch with 2 notes and a reminder each
    And the next 12 BatchWriteItem of "kefir-app-dev-table" leave 25 of its items unprocessed
    When "ana" deletes her account
    Then the response is 503
    And 12 faults occurred
    When "ana" deletes her account
    Then the response is 204
    And table "kefir-app-dev-table" holds no items

  @KF-R9.limit @KF-R9.retry @needs:commands
  Scenario: Profiles of many users are read 100 at a time, and unprocessed ones again
    Given a kitchen of 120 users is generated from the seed 1
    And the next 2 BatchGetItem of "kefir-app-dev-table" leave 30 of its items unprocessed
    When 30 days pass
    And a scheduler runs
    Then 2 faults occurred
    And the index "GSI3" has no entries

  @KF-R9.retry @needs:commands
  Scenario: A list of batches is complete although the store returns it in parts
    Given "ana" has started 5 batches
    And the next 2 BatchGetItem of "kefir-app-dev-table" leave 2 of its items unprocessed
    When the operator lists all users' batches that are "active"
    Then 2 faults occurred
    And the list has 5 entries, each once

  @KF-O2
  Scenario: A generated kitchen has batches in every stage and status, and the same seed gives the same kitchen, on the wire
    When a kitchen of 4 users is generated from the seed 7
    Then the table holds the generated data
    When a kitchen of 4 users is generated from the seed 7
    Then the table holds the generated data
