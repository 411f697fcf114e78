Feature: People, their phones and their accounts, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @KF-P1
  Scenario: A profile is read by its user, on the wire
    Given "ana" puts her profile as {"email": "ana@example.com", "name": "Ana", "preferences": {"notificationsEnabled": false, "defaultTemperatureC": 24.5}}
    When "ana" looks at her profile
    Then the store was asked for a GetItem of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'METADATA'", consistent

  @KF-R11.defaults
  Scenario: Preferences that were not set are the defaults, and are not stored
    When "ana" puts her profile as {"email": "ana@example.com"}
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'METADATA'" has no "preferences"

  @KF-R11.preferred
  Scenario: The temperature of a batch that names none is the user's preference
    Given "ana" puts her profile as {"email": "ana@example.com", "preferences": {"defaultTemperatureC": 25.5}}
    When "ana" sends POST /batches with {"name": "figs", "waterVolumeMl": 1000, "sugarGrams": 60, "targetHoursStage1": 48}
    Then the answer is 201
    And the answer's "temperatureC" is "25.5"

  @KF-P11
  Scenario: A user's devices are listed by one query
    Given "ana" has registered the device "phone" as {"platform": "ios", "pushToken": "ExponentPushToken[1]"}
    And "ana" has registered the device "browser" as {"platform": "web", "pushToken": "ExponentPushToken[2]"}
    And "bob" has registered the device "other" as {"platform": "android", "pushToken": "ExponentPushToken[3]"}
    When "ana" lists her devices
    Then the store was asked for a Query of "kefir-app-dev-table" where "PK = 'USER#ana' AND begins_with(SK, 'DEVICE#')"

  @KF-P12
  Scenario: One device is read by its id, on the wire
    Given "ana" has registered the device "phone" as {"platform": "ios", "pushToken": "ExponentPushToken[1]", "deviceInfo": {"model": "X"}}
    When "ana" looks at the device "phone"
    Then the store was asked for a GetItem of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'DEVICE#phone'", consistent

  @KF-R11.platform
  Scenario Outline: A device on <platform> is <answer>
    When "ana" registers the device "phone" as {"platform": <platform>, "pushToken": "ExponentPushToken[1]"}
    Then the answer is <status>

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
    When "ana" puts her profile as {"email": "ana@example.com", "preferences": {"defaultTemperatureC": <value>}}
    Then the answer is 422
    And the answer names the field "body.preferences.defaultTemperatureC"
    And the store was asked for nothing

    Examples:
      | value  |
      | "warm" |
      | "22"   |
      | true   |
      | 22.125 |
      | 61     |
      | -1e9   |

  @KF-R9.limit
  Scenario: A deleted account leaves nothing, and takes 25 items a request
    Given "ana" has a kitchen of 2 batches with 30 notes and a reminder each
    And "bob" has a kitchen of 1 batches with 2 notes and a reminder each
    When "ana" deletes her account
    Then the answer is 204
    And table "kefir-app-dev-table" holds 6 items
    And the store was asked for 5 times BatchWriteItem of "kefir-app-dev-table"
    And no table shows "ana"

  @KF-R9.stragglers
  Scenario: What is added to a batch while its account is deleted goes along with it
    Given "ana" has started the batch "ginger"
    When "ana" deletes her account, and meanwhile notes "fizzy" on "ginger"
    Then table "kefir-app-dev-table" holds no items

  @KF-R9.retry @KF-R9.backoff @needs:commands
  Scenario: What the store leaves undone is asked for again until nothing is left
    Given "ana" has a kitchen of 1 batches with 30 notes and a reminder each
    And the next 3 BatchWriteItem of "kefir-app-dev-table" leave 20 of its members undone
    When "ana" deletes her account
    Then the answer is 204
    And 3 requests went wrong
    And it waited 25, 50 and 100 milliseconds, each up to half less or more by chance, before it asked again

  @KF-R9.retry @needs:commands
  Scenario: A store that leaves everything undone is given up after twelve times
    Given "ana" has a kitchen of 1 batches with 2 notes and a reminder each
    And the next 12 BatchWriteItem of "kefir-app-dev-table" leave 25 of its members undone
    When "ana" deletes her account
    Then the answer is 503
    And 12 requests went wrong
    When "ana" deletes her account
    Then the answer is 204
    And table "kefir-app-dev-table" holds no items

  @KF-R9.limit @KF-R9.retry @needs:commands
  Scenario: Profiles of many users are read 100 a request, and again what the store leaves out
    Given a kitchen of 120 users is seeded with the number 1
    And the next 2 BatchGetItem of "kefir-app-dev-table" leave 30 of its members undone
    When 30 days pass
    And a scheduler runs
    Then 2 requests went wrong
    And the index "GSI3" has no entries

  @KF-R9.retry @needs:commands
  Scenario: A list of batches that the store hands over in parts is whole
    Given "ana" has started 5 batches
    And the next 2 BatchGetItem of "kefir-app-dev-table" leave 2 of its members undone
    When the operator lists all users' batches that are "active"
    Then 2 requests went wrong
    And the list has 5 entries, each once

  @KF-O2
  Scenario: A seeded kitchen has users with batches in every stage and status, and is the same when it is seeded again, on the wire
    When a kitchen of 4 users is seeded with the number 7
    Then the table holds what was sown
    When a kitchen of 4 users is seeded with the number 7
    Then the table holds what was sown
