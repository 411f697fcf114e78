Feature: Access to the telemetry
  Every operation of the OpenAPI document is called with every kind of credential. docs/access.md lists the expected
  results.

  @TL-R12.data @TL-R12.administration
  Scenario: Requests to the telemetry without a valid credential are refused
    When every operation is called with each credential that does not allow it
    Then each call is refused as the OpenAPI document says
    And no response contains data of "ana"
    And nothing was read except the credential

  @TL-R12.data @TL-R12.administration
  Scenario: Every operation of the telemetry accepts the credentials that allow it
    When every operation is called with each credential that allows it
    Then each call succeeds
    And the permissions match docs/access.md

  @TL-R12.data @TL-R12.administration
  Scenario: Only the documented operations of the telemetry are public
    When every public operation is called with every credential
    Then each call gets a response, and the operation is documented as public
    And no response contains data of "ana"
