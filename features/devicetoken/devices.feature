Feature: People see and remove their phones
  A person sees which phones get notifications, takes a phone out by logging out, and has a phone, or everything, deleted.

  @PE-P3
  Scenario: One phone is looked at
    Given "ana" has registered "anas-phone"
    When "ana" looks at "anas-phone"
    Then the request succeeds
    And the answer's "deviceId" is "anas-phone"
    And the answer's "platform" is "ios"

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
    When "ana" asks which phones get pushes
    Then they are "anas-phone, anas-tablet"

  @PE-P4.pages
  Scenario: A long list is read to its end
    Given "ana" has 4 phones of 390 KB each
    When "ana" asks which phones get pushes
    Then they are "heavy-1, heavy-2, heavy-3, heavy-4"

  @PE-P4.list
  Scenario: Whoever has no phone has an empty list
    When "ana" asks which phones get pushes
    Then there are none

  @PE-P5.inactive
  Scenario: A logout takes the phone out
    Given "ana" has registered "anas-phone"
    When 1 hour passes
    And "ana" logs out on "anas-phone"
    Then the request succeeds
    And the answer's "isActive" is "false"
    When "ana" asks which phones get pushes
    Then there are none

  @PE-P5.unknown
  Scenario: An unknown phone cannot be logged out
    When "ana" logs out on "anas-phone"
    Then it is not found

  @PE-P6
  Scenario: A phone is deleted for good, once
    Given "ana" has registered "anas-phone"
    When "ana" deletes "anas-phone"
    Then the request succeeds
    When "ana" deletes "anas-phone"
    Then it is not found
