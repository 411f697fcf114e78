Feature: Phones register for notifications
  The app registers its phone when it is first opened, and again each time after. The service identifies a phone by
  its user and its id, and keeps its newest token and its registration date.

  @PE-P1.first @PE-R2.silent
  Scenario: A phone registers for the first time
    When "ana" registers "anas-phone"
    Then it is created
    And the response's "expoPushToken" is "{token of anas-phone}"
    And the response's "isActive" is "true"

  @PE-P1.again @PE-P2.renewed
  Scenario: A phone that registers again is refreshed and keeps its registration date
    Given "ana" has registered "anas-phone"
    When 3 days pass
    And "ana" registers "anas-phone" with a new token
    Then the request succeeds
    And the response's "registeredAt" is "{registration of anas-phone}"
    And the response's "updatedAt" is "{now}"

  @PE-P1.again
  Scenario: A phone keeps the platform of its first registration
    Given "ana" has registered "anas-phone"
    When "ana" registers "anas-phone" as an android phone
    Then the request succeeds
    And the response's "platform" is "ios"

  @PE-P1.again
  Scenario: Registering again reactivates a phone that logged out
    Given "ana" has registered "anas-phone"
    And "ana" logs out on "anas-phone"
    When "ana" registers "anas-phone"
    Then the request succeeds
    And the response's "isActive" is "true"

  @PE-P2.renewed
  Scenario: Opening the app refreshes the phone
    Given "ana" has registered "anas-phone"
    When 10 days pass
    And "ana" opens the app on "anas-phone", which has a new token
    Then the request succeeds
    And the response's "expoPushToken" is "{token of anas-phone}"

  @PE-P2.unknown
  Scenario: A phone that never registered cannot be refreshed
    When "ana" opens the app on "anas-phone"
    Then it is not found

  @PE-R1.one
  Scenario: A phone that registers many times at once is registered once
    When "ana" registers "anas-phone" 16 times at once, each with a token of its own
    And "ana" looks at "anas-phone"
    Then it has the token of one of the registrations
