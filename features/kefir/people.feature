Feature: Users, their devices and their accounts
  A user has a profile and devices, sees no other user's data, and can export or delete all of it.

  @KF-P1
  Scenario: A user reads the profile
    Given "ana" saves her profile as {"email": "ana@example.com", "name": "Ana", "preferences": {"notificationsEnabled": false, "defaultTemperatureC": 24.5}}
    When "ana" looks at her profile
    Then the request succeeds
    And the response's "email" is "ana@example.com"
    And the response's "preferences.defaultTemperatureC" is "24.5"

  @KF-P1
  Scenario: A profile that is saved again keeps its creation date
    Given "ana" has a profile
    And the response's "createdAt" is saved as "the first day"
    When 3 days pass
    And "ana" saves her profile as {"email": "ana@example.org"}
    Then the request succeeds
    And the response's "createdAt" is "{the first day}"
    And the response's "updatedAt" is "{now}"
    And the response has no "name"
    When 1 day passes
    And "ana" saves her profile as {"email": "ana@example.net"}
    Then the response's "createdAt" is "{the first day}"
    When "ana" looks at her profile
    Then the response's "createdAt" is "{the first day}"

  @KF-P1
  Scenario: A profile that was never saved is not found
    When "ana" looks at her profile
    Then it is not found

  @KF-R11.defaults
  Scenario: Preferences that were not set have their defaults
    When "ana" saves her profile as {"email": "ana@example.com"}
    Then it is created
    And the response's "preferences.notificationsEnabled" is "true"
    And the response's "preferences.defaultTemperatureC" is "22"
    When "ana" looks at her profile
    Then the response's "preferences.notificationsEnabled" is "true"
    And the response's "preferences.defaultTemperatureC" is "22"

  @KF-P11
  Scenario: A user's devices are listed
    Given "ana" has registered the device "phone" as {"platform": "ios", "pushToken": "ExponentPushToken[1]"}
    And "ana" has registered the device "browser" as {"platform": "web", "pushToken": "ExponentPushToken[2]"}
    And "bob" has registered the device "other" as {"platform": "android", "pushToken": "ExponentPushToken[3]"}
    When "ana" lists her devices
    Then the list is "browser, phone"

  @KF-P12
  Scenario: A user reads one device by its id
    Given "ana" has registered the device "phone" as {"platform": "ios", "pushToken": "ExponentPushToken[1]", "deviceInfo": {"model": "X"}}
    When "ana" looks at the device "phone"
    Then the response's "deviceInfo.model" is "X"
    When "bob" looks at the device "phone"
    Then it is not found

  @KF-P12
  Scenario: A device that registers again keeps its registration date
    Given "ana" has registered the device "phone" as {"platform": "ios", "pushToken": "ExponentPushToken[1]"}
    And the response's "createdAt" is saved as "the first day"
    When 3 days pass
    And "ana" registers the device "phone" as {"platform": "ios", "pushToken": "ExponentPushToken[2]"}
    Then the request succeeds
    And the response's "createdAt" is "{the first day}"
    And the response's "lastSeenAt" is "{now}"
    When "ana" removes the device "phone"
    Then the request succeeds
    When "ana" looks at the device "phone"
    Then it is not found

  @KF-O2
  Scenario: A generated kitchen has batches in every stage and status, and the same seed gives the same kitchen
    When a kitchen of 4 users is generated from the seed 7
    Then there are users, batches, events, reminders and devices
    When a kitchen of 4 users is generated from the seed 7
    Then the same kitchen is generated again
    When "ana-1" lists the batches that are "active"
    Then the request succeeds
    And the pages have 2 entries
    When "ana-1" lists the batches that are "in_fridge"
    Then the pages have 1 entry
    When "ana-1" lists the batches that are "ready"
    Then the pages have 1 entry
