Feature: Nobody reaches another person's phones
  Who calls is in the bearer token alone. Somebody else's phone is exactly as absent as one that there never was, a bad request
  names its field and stores nothing, and the service itself may do no more than its patterns need.

  @PE-R4.others @PE-R7.all
  Scenario: Another person's lists and deletions stop at their own phones
    Given "ana" has registered "anas-phone"
    When "bob" asks which phones get pushes
    Then there are none
    When "bob" asks for everything to be deleted
    Then the request succeeds
    When "ana" asks which phones get pushes
    Then they are "anas-phone"

  @PE-R4.refused
  Scenario: A token ends by the clock
    Given "ana" has registered "anas-phone"
    When "ana" goes on with a token that was good for 5 minutes
    Then the credential is refused

  @PE-R3.times
  Scenario: Times are ISO 8601 in UTC
    Given "ana" has registered "anas-phone"
    When "ana" looks at "anas-phone"
    Then the answer's "registeredAt" is "{now}"
    And the answer's "updatedAt" is "{now}"
    And the answer's "expiresAt" is "{seconds in 90 days}"
