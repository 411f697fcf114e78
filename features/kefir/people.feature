Feature: People, their phones and their accounts
  A user has a profile and devices, sees nobody else's, and can take everything along or have it deleted.

  @KF-P1
  Scenario: A profile is read by its user
    Given "ana" puts her profile as {"email": "ana@example.com", "name": "Ana", "preferences": {"notificationsEnabled": false, "defaultTemperatureC": 24.5}}
    When "ana" looks at her profile
    Then the request succeeds
    And the answer's "email" is "ana@example.com"
    And the answer's "preferences.defaultTemperatureC" is "24.5"

  @KF-P1
  Scenario: A profile that is put again keeps the day on which it was made
    Given "ana" has a profile
    And the answer's "createdAt" is called "the first day"
    When 3 days pass
    And "ana" puts her profile as {"email": "ana@example.org"}
    Then the request succeeds
    And the answer's "createdAt" is "{the first day}"
    And the answer's "updatedAt" is "{now}"
    And the answer has no "name"
    When 1 day passes
    And "ana" puts her profile as {"email": "ana@example.net"}
    Then the answer's "createdAt" is "{the first day}"
    When "ana" looks at her profile
    Then the answer's "createdAt" is "{the first day}"

  @KF-P1
  Scenario: There is no profile before it is made
    When "ana" looks at her profile
    Then it is not found

  @KF-R11.defaults
  Scenario: Preferences that were not set are the defaults
    When "ana" puts her profile as {"email": "ana@example.com"}
    Then it is created
    And the answer's "preferences.notificationsEnabled" is "true"
    And the answer's "preferences.defaultTemperatureC" is "22"
    When "ana" looks at her profile
    Then the answer's "preferences.notificationsEnabled" is "true"
    And the answer's "preferences.defaultTemperatureC" is "22"

  @KF-P11
  Scenario: A user's devices are listed
    Given "ana" has registered the device "phone" as {"platform": "ios", "pushToken": "ExponentPushToken[1]"}
    And "ana" has registered the device "browser" as {"platform": "web", "pushToken": "ExponentPushToken[2]"}
    And "bob" has registered the device "other" as {"platform": "android", "pushToken": "ExponentPushToken[3]"}
    When "ana" lists her devices
    Then the list is "browser, phone"

  @KF-P12
  Scenario: One device is read by its id
    Given "ana" has registered the device "phone" as {"platform": "ios", "pushToken": "ExponentPushToken[1]", "deviceInfo": {"model": "X"}}
    When "ana" looks at the device "phone"
    Then the answer's "deviceInfo.model" is "X"
    When "bob" looks at the device "phone"
    Then it is not found

  @KF-P12
  Scenario: A device that registers again keeps the day on which it came
    Given "ana" has registered the device "phone" as {"platform": "ios", "pushToken": "ExponentPushToken[1]"}
    And the answer's "createdAt" is called "the first day"
    When 3 days pass
    And "ana" registers the device "phone" as {"platform": "ios", "pushToken": "ExponentPushToken[2]"}
    Then the request succeeds
    And the answer's "createdAt" is "{the first day}"
    And the answer's "lastSeenAt" is "{now}"
    When "ana" removes the device "phone"
    Then the request succeeds
    When "ana" looks at the device "phone"
    Then it is not found

  @KF-O2
  Scenario: A seeded kitchen has users with batches in every stage and status, and is the same when it is seeded again
    When a kitchen of 4 users is seeded with the number 7
    Then there are users, batches, events, reminders and devices
    When a kitchen of 4 users is seeded with the number 7
    And "ana-1" lists the batches that are "active"
    Then the request succeeds
    And the pages have 2 entries
    When "ana-1" lists the batches that are "in_fridge"
    Then the pages have 1 entries
    When "ana-1" lists the batches that are "ready"
    Then the pages have 1 entries
