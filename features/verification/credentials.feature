Feature: Clients authenticate with a key or a session
  The administrator creates a key and sees it once. A session is short and ends with its key.

  @VR-P9.session
  Scenario: A session belongs to the client whose key opened it
    Given "acme" opens the session "s1"
    When the session "s1" opens a case
    Then it is created
    And the response's "clientId" is "{client acme}"

  @VR-P9.secret
  Scenario: A secret is shown once
    Given "acme" opens the session "s1"
    When the administrator lists the API keys
    Then the response contains "{key id of acme}"
    And the response does not contain "{key of acme}"

  @VR-P9.hour
  Scenario: A session expires after an hour
    Given "acme" opens the session "s1"
    When 3599 seconds pass
    And the session "s1" lists its cases
    Then the request succeeds
    When 1 second passes
    And the session "s1" lists its cases
    Then the credential is refused

  @VR-P9.ended
  Scenario: A session that was ended is refused
    Given "acme" opens the session "s1"
    When the session "s1" is ended
    Then the request succeeds
    When the session "s1" lists its cases
    Then the credential is refused
    And "acme" lists its cases
    And the request succeeds

  @VR-P9.revoked
  Scenario: A revoked key is refused, and its sessions with it
    Given "acme" opens the session "s1"
    When the key of "acme" is revoked
    And "acme" lists its cases
    Then the credential is refused
    When the session "s1" lists its cases
    Then the credential is refused

  @VR-P9.access
  Scenario: A session can only be opened with an API key
    Given "acme" opens the session "s1"
    When the session "s1" opens another session
    Then it is refused as a bad request
