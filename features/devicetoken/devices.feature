Feature: Users see and remove their phones
  A user sees which phones get notifications, stops notifications by logging out, and deletes one phone or all phones.

  @PE-P3
  Scenario: A user looks at one phone
    Given "ana" has registered "anas-phone"
    When "ana" looks at "anas-phone"
    Then the request succeeds
    And the response's "deviceId" is "anas-phone"
    And the response's "platform" is "ios"

  @PE-P3
  Scenario: A phone that never registered is not found
    When "ana" looks at "anas-phone"
    Then it is not found

  @PE-P4.list
  Scenario: The phones that get pushes are listed
    Given "ana" has registered "anas-phone"
    And "ana" has registered "anas-tablet"
    And "ana" has registered "old-phone"
    And "bob" has registered "bobs-phone"
    And "ana" logs out on "old-phone"
    When "ana" lists the phones that get pushes
    Then they are "anas-phone, anas-tablet"

  @PE-P4.pages
  Scenario: A long list is complete
    Given "ana" has 4 phones of 390 KB each
    When "ana" lists the phones that get pushes
    Then they are "heavy-1, heavy-2, heavy-3, heavy-4"

  @PE-P4.list
  Scenario: A user without phones has an empty list
    When "ana" lists the phones that get pushes
    Then there are none

  @PE-P5.inactive
  Scenario: A logout stops pushes to the phone
    Given "ana" has registered "anas-phone"
    When 1 hour passes
    And "ana" logs out on "anas-phone"
    Then the request succeeds
    And the response's "isActive" is "false"
    When "ana" lists the phones that get pushes
    Then there are none

  @PE-P5.unknown
  Scenario: An unknown phone cannot be logged out
    When "ana" logs out on "anas-phone"
    Then it is not found

  @PE-P6
  Scenario: A phone can be deleted once
    Given "ana" has registered "anas-phone"
    When "ana" deletes "anas-phone"
    Then the request succeeds
    When "ana" deletes "anas-phone"
    Then it is not found
