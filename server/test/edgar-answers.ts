/** Small hand-written filings and lists in the forms of EDGAR. */

/** A Form 4/A of two owners, within its submission. */
export const OWNERSHIP = `<SEC-DOCUMENT>0001234567-26-000042.txt : 20260303
<SEC-HEADER>0001234567-26-000042.hdr.sgml : 20260303
<ACCEPTANCE-DATETIME>20260303193015
ACCESSION NUMBER:		0001234567-26-000042
CONFORMED SUBMISSION TYPE:	4/A
PUBLIC DOCUMENT COUNT:		1
CONFORMED PERIOD OF REPORT:	20260227
FILED AS OF DATE:		20260303

REPORTING-OWNER:

	OWNER DATA:
		COMPANY CONFORMED NAME:			Quill Ada
		CENTRAL INDEX KEY:			0001700001

ISSUER:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			Pebble Robotics, Inc.
		CENTRAL INDEX KEY:			0001700000
</SEC-HEADER>
<DOCUMENT>
<TYPE>4/A
<SEQUENCE>1
<FILENAME>doc4.xml
<TEXT>
<XML>
<?xml version="1.0"?>
<ownershipDocument>
  <documentType>4/A</documentType>
  <periodOfReport>2026-02-27-05:00</periodOfReport>
  <dateOfOriginalSubmission>2026-03-01</dateOfOriginalSubmission>
  <issuer>
    <issuerCik>1700000</issuerCik>
    <issuerName>Pebble Robotics, Inc.</issuerName>
    <issuerTradingSymbol>pebl</issuerTradingSymbol>
  </issuer>
  <reportingOwner>
    <reportingOwnerId><rptOwnerCik>0001700001</rptOwnerCik><rptOwnerName>Quill Ada</rptOwnerName></reportingOwnerId>
    <reportingOwnerRelationship><isOfficer>true</isOfficer><officerTitle>CEO &amp; President</officerTitle></reportingOwnerRelationship>
  </reportingOwner>
  <reportingOwner>
    <reportingOwnerId><rptOwnerCik>0001700002</rptOwnerCik><rptOwnerName>Quill Family Trust</rptOwnerName></reportingOwnerId>
    <reportingOwnerRelationship><isDirector>0</isDirector><isTenPercentOwner>1</isTenPercentOwner></reportingOwnerRelationship>
  </reportingOwner>
  <aff10b5One>1</aff10b5One>
  <nonDerivativeTable>
    <nonDerivativeHolding>
      <securityTitle><value>Common Stock</value></securityTitle>
      <postTransactionAmounts><sharesOwnedFollowingTransaction><value>500</value></sharesOwnedFollowingTransaction></postTransactionAmounts>
      <ownershipNature>
        <directOrIndirectOwnership><value>I</value></directOrIndirectOwnership>
        <natureOfOwnership><value>By trust</value></natureOfOwnership>
      </ownershipNature>
    </nonDerivativeHolding>
    <nonDerivativeTransaction>
      <securityTitle><value>Common Stock</value><footnoteId id="F2"/></securityTitle>
      <transactionDate><value>2026-02-27</value></transactionDate>
      <transactionCoding><transactionCode>S</transactionCode><footnoteId id="F1"/></transactionCoding>
      <transactionAmounts>
        <transactionShares><value>1,250.5</value></transactionShares>
        <transactionPricePerShare><value>10.04</value></transactionPricePerShare>
        <transactionAcquiredDisposedCode><value>D</value></transactionAcquiredDisposedCode>
      </transactionAmounts>
      <postTransactionAmounts><sharesOwnedFollowingTransaction><value>0</value></sharesOwnedFollowingTransaction></postTransactionAmounts>
      <ownershipNature><directOrIndirectOwnership><value>D</value></directOrIndirectOwnership></ownershipNature>
    </nonDerivativeTransaction>
  </nonDerivativeTable>
  <derivativeTable>
    <derivativeTransaction>
      <securityTitle><value>Option</value></securityTitle>
      <conversionOrExercisePrice><value>$2.50</value></conversionOrExercisePrice>
      <transactionDate><value>02/27/2026</value></transactionDate>
      <transactionCoding><transactionCode>M</transactionCode></transactionCoding>
      <transactionAmounts>
        <transactionShares><value>100</value></transactionShares>
        <transactionPricePerShare><footnoteId id="F1"/></transactionPricePerShare>
        <transactionAcquiredDisposedCode><value>D</value></transactionAcquiredDisposedCode>
      </transactionAmounts>
      <exerciseDate><footnoteId id="F9"/></exerciseDate>
      <expirationDate><value>2030-02-30</value></expirationDate>
      <underlyingSecurity>
        <underlyingSecurityTitle><value>Common Stock</value></underlyingSecurityTitle>
        <underlyingSecurityShares><value>100.0000</value></underlyingSecurityShares>
      </underlyingSecurity>
    </derivativeTransaction>
  </derivativeTable>
  <footnotes>
    <footnote id="F1">Sold under a plan &lt;of 2025&gt;.</footnote>
    <footnote id="F2"><![CDATA[Held with R&D Partners.]]></footnote>
  </footnotes>
</ownershipDocument>
</XML>
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`

const infoTable = (prefix: string, name: string, value: number, shares: number) =>
  `<${prefix}infoTable><${prefix}nameOfIssuer>${name}</${prefix}nameOfIssuer><${prefix}titleOfClass>COM</${prefix}titleOfClass>` +
  `<${prefix}cusip>037833100</${prefix}cusip><${prefix}value>${value}</${prefix}value><${prefix}shrsOrPrnAmt>` +
  `<${prefix}sshPrnamt>${shares}</${prefix}sshPrnamt><${prefix}sshPrnamtType>SH</${prefix}sshPrnamtType></${prefix}shrsOrPrnAmt>` +
  `<${prefix}investmentDiscretion>SOLE</${prefix}investmentDiscretion><${prefix}votingAuthority><${prefix}Sole>${shares}</${prefix}Sole>` +
  `<${prefix}Shared>0</${prefix}Shared><${prefix}None>0</${prefix}None></${prefix}votingAuthority></${prefix}infoTable>`

export const THIRTEEN_F_TABLE = `<?xml version="1.0"?>
<n1:informationTable xmlns:n1="http://www.sec.gov/edgar/document/thirteenf/informationtable">
${infoTable('n1:', 'PEBBLE ROBOTICS INC', 40_000, 1_000)}${infoTable('n1:', 'R&amp;D CORP', 15_000, 100)}
</n1:informationTable>`

/** A cover with totals in the unit of the form. */
export const thirteenFCover = (given: { period: string; signed: string; total: number; amendment?: string }) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<edgarSubmission xmlns="http://www.sec.gov/edgar/thirteenffiler">
<headerData><submissionType>13F-HR${given.amendment === undefined ? '' : '/A'}</submissionType><filerInfo><filer><credentials><cik>0001700009</cik></credentials></filer>
<periodOfReport>${given.period}</periodOfReport></filerInfo></headerData>
<formData><coverPage><reportCalendarOrQuarter>${given.period}</reportCalendarOrQuarter>
${given.amendment === undefined ? '' : `<isAmendment>true</isAmendment><amendmentNo>2</amendmentNo><amendmentInfo><amendmentType>${given.amendment}</amendmentType></amendmentInfo>`}
<filingManager><name>Quiet Capital LLC</name></filingManager><reportType>13F HOLDINGS REPORT</reportType></coverPage>
<signatureBlock><signatureDate>${given.signed}</signatureDate></signatureBlock>
<summaryPage><tableEntryTotal>2</tableEntryTotal><tableValueTotal>${given.total}</tableValueTotal></summaryPage></formData>
</edgarSubmission>`

export const SCHEDULE_13G = `<edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13g">
<headerData><submissionType>SCHEDULE 13G/A</submissionType><previousAccessionNumber>0001234567-25-000001</previousAccessionNumber></headerData>
<formData><coverPageHeader><amendmentNo>1</amendmentNo><securitiesClassTitle>Common Stock</securitiesClassTitle>
<eventDateRequiresFilingThisStatement>03/31/2026</eventDateRequiresFilingThisStatement>
<issuerInfo><issuerCik>0001700000</issuerCik><issuerName>Pebble Robotics, Inc.</issuerName><issuerCusips><issuerCusipNumber>037833100</issuerCusipNumber></issuerCusips></issuerInfo></coverPageHeader>
<coverPageHeaderReportingPersonDetails><reportingPersonName>Quiet Capital LLC</reportingPersonName><citizenshipOrOrganization>DE</citizenshipOrOrganization>
<reportingPersonBeneficiallyOwnedAggregateNumberOfShares>1000.00</reportingPersonBeneficiallyOwnedAggregateNumberOfShares><classPercent>5.1</classPercent>
<typeOfReportingPerson>IA</typeOfReportingPerson><typeOfReportingPerson>PN</typeOfReportingPerson></coverPageHeaderReportingPersonDetails></formData></edgarSubmission>`

/** A Schedule 13D in HTML, with the labels that filers used until 2024. */
export const SCHEDULE_13D_HTML = `<SUBMISSION>
<ACCESSION-NUMBER>0001234567-24-000007<TYPE>SC 13D/A<FILING-DATE>20240305<SUBJECT-COMPANY><COMPANY-DATA><CONFORMED-NAME>PEBBLE ROBOTICS, INC.<CIK>0001700000</COMPANY-DATA></SUBJECT-COMPANY><FILED-BY><COMPANY-DATA><CONFORMED-NAME>QUIET CAPITAL LLC<CIK>0001700009</COMPANY-DATA></FILED-BY><DOCUMENT><TYPE>SC 13D/A<SEQUENCE>1<FILENAME>sc13da.htm<TEXT>
<html><body><p>SCHEDULE 13D/A</p><p>Under the Securities Exchange Act of 1934</p><p>(Amendment No. 4)</p>
<p>Pebble Robotics, Inc.</p><p>(Name of Issuer)</p><p>Common Stock, par value
$0.01</p><p>(Title of Class of Securities)</p><p>037833 10 0</p><p>(CUSIP Number)</p><p>March 1, 2024</p>
<p>(Date of Event Which Requires Filing of this Statement)</p>
<table><tr><td>1</td><td>NAMES OF REPORTING PERSONS<br>Quiet Capital LLC</td></tr><tr><td>2</td><td>CHECK THE APPROPRIATE BOX IF A MEMBER OF A GROUP</td></tr>
<tr><td>6</td><td>CITIZENSHIP OR PLACE OF ORGANIZATION<br>Delaware</td></tr>
<tr><td>11</td><td>AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON<br>1,234,567 shares</td></tr>
<tr><td>13</td><td>PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW (11)<br>9.8%</td></tr>
<tr><td>14</td><td>TYPE OF REPORTING PERSON<br>OO</td></tr></table>
<table><tr><td>1</td><td>NAMES OF REPORTING PERSONS</td></tr><tr><td></td><td>Ada Quill</td></tr>
<tr><td>11</td><td>AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON</td></tr><tr><td></td><td>2,000,000</td></tr>
<tr><td>13</td><td>PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW (11)</td></tr><tr><td></td><td>12.5%</td></tr>
<tr><td>14</td><td>TYPE OF REPORTING PERSON</td></tr><tr><td></td><td>IN</td></tr></table>
<p>Item 1. Security and Issuer</p></body></html>
</TEXT></DOCUMENT></SUBMISSION>`

export const FORM_D = `<?xml version="1.0"?><edgarSubmission><submissionType>D/A</submissionType>
<primaryIssuer><cik>0001700005</cik><entityName>Moss &amp; Fern Fund, LP</entityName><jurisdictionOfInc>DELAWARE</jurisdictionOfInc><entityType>Limited Partnership</entityType></primaryIssuer>
<relatedPersonsList><relatedPersonInfo><relatedPersonName><firstName>-</firstName><lastName>Moss GP, LLC</lastName></relatedPersonName>
<relatedPersonRelationshipList><relationship>Promoter</relationship></relatedPersonRelationshipList></relatedPersonInfo></relatedPersonsList>
<offeringData><industryGroup><industryGroupType>Pooled Investment Fund</industryGroupType></industryGroup>
<federalExemptionsExclusions><item>06b</item><item>3C.1</item></federalExemptionsExclusions>
<typeOfFiling><newOrAmendment><isAmendment>true</isAmendment><previousAccessionNumber>0001700005-25-000001</previousAccessionNumber></newOrAmendment><dateOfFirstSale><yetToOccur>true</yetToOccur></dateOfFirstSale></typeOfFiling>
<typesOfSecuritiesOffered><isPooledInvestmentFundType>true</isPooledInvestmentFundType><isDebtType>false</isDebtType></typesOfSecuritiesOffered>
<minimumInvestmentAccepted>50000</minimumInvestmentAccepted>
<offeringSalesAmounts><totalOfferingAmount>Indefinite</totalOfferingAmount><totalAmountSold>0</totalAmountSold><totalRemaining>Indefinite</totalRemaining></offeringSalesAmounts>
<investors><totalNumberAlreadyInvested>0</totalNumberAlreadyInvested></investors></offeringData></edgarSubmission>`

export const FORM_144 = `<ns2:edgarSubmission xmlns:ns2="http://www.sec.gov/edgar/ownership"><ns2:headerData><ns2:submissionType>144</ns2:submissionType></ns2:headerData>
<ns2:formData><ns2:issuerInfo><ns2:issuerCik>0001700000</ns2:issuerCik><ns2:issuerName>Pebble Robotics, Inc.</ns2:issuerName>
<ns2:nameOfPersonForWhoseAccountTheSecuritiesAreToBeSold>Ada Quill</ns2:nameOfPersonForWhoseAccountTheSecuritiesAreToBeSold>
<ns2:relationshipsToIssuer><ns2:relationshipToIssuer>Officer</ns2:relationshipToIssuer><ns2:relationshipToIssuer>Director</ns2:relationshipToIssuer></ns2:relationshipsToIssuer></ns2:issuerInfo>
<ns2:securitiesInformation><ns2:securitiesClassTitle>Common</ns2:securitiesClassTitle><ns2:brokerOrMarketmakerDetails><ns2:name>Broker LLC</ns2:name></ns2:brokerOrMarketmakerDetails>
<ns2:noOfUnitsSold>500</ns2:noOfUnitsSold><ns2:aggregateMarketValue>5020.50</ns2:aggregateMarketValue><ns2:approxSaleDate>03/04/2026</ns2:approxSaleDate></ns2:securitiesInformation></ns2:formData></ns2:edgarSubmission>`

export const EIGHT_K = `<SEC-DOCUMENT>0001700000-26-000011.txt : 20260305
<SEC-HEADER>0001700000-26-000011.hdr.sgml : 20260305
<ACCEPTANCE-DATETIME>20260305161500
ACCESSION NUMBER:		0001700000-26-000011
CONFORMED SUBMISSION TYPE:	8-K
CONFORMED PERIOD OF REPORT:	20260304
ITEM INFORMATION:		Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers: Compensatory Arrangements of Certain Officers
ITEM INFORMATION:		Financial Statements and Exhibits
FILED AS OF DATE:		20260305

FILER:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			Pebble Robotics, Inc.
		CENTRAL INDEX KEY:			0001700000
</SEC-HEADER>
<DOCUMENT>
<TYPE>8-K
<SEQUENCE>1
<FILENAME>pebl-8k.htm
<TEXT>
<html><head><title>8-K</title></head><body><p>Item 5.02 Departure of Directors</p><p>Ada Quill resigns &amp; leaves
on 1&nbsp;April.</p></body></html>
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-99.1
<SEQUENCE>2
<FILENAME>ex991.htm
<DESCRIPTION>PRESS RELEASE
<TEXT>
<html><body>Press release</body></html>
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>GRAPHIC
<SEQUENCE>3
<FILENAME>logo.jpg
<TEXT>
begin 644 logo.jpg
end
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>`

const columns = {
  accessionNumber: ['0001700000-26-000011', '0001234567-26-000042'],
  filingDate: ['2026-03-05', '2026-03-03'],
  reportDate: ['2026-03-04', ''],
  form: ['8-K', '4/A'],
  items: ['5.02,9.01', ''],
  size: [2_000, 900],
  isXBRL: [1, 0],
  primaryDocument: ['pebl-8k.htm', 'doc4.xml'],
}

/** Submissions with acceptance times in UTC, as EDGAR lists them since 2023, or in New York, as it did before. */
export const submissions = (zone: 'utc' | 'new york') =>
  JSON.stringify({
    cik: '0001700000',
    name: 'Pebble Robotics, Inc.',
    tickers: ['PEBL', 'PEBL-W'],
    exchanges: ['NYSE', 'OTC'],
    formerNames: [{ name: 'PEBBLE TOYS INC', from: '2005-02-17T05:00:00.000Z', to: '2017-01-27T05:00:00.000Z' }],
    addresses: { business: { stateOrCountry: 'CA' } },
    filings: {
      recent: {
        ...columns,
        acceptanceDateTime:
          zone === 'utc'
            ? ['2026-03-05T21:15:00.000Z', '2026-03-04T00:30:15.000Z']
            : ['2026-03-05T16:15:00.000Z', '2026-03-03T19:30:15.000Z'],
      },
      files: [{ name: 'CIK0001700000-submissions-001.json', filingFrom: '2005-02-17', filingTo: '2018-02-11' }],
    },
  })

const fact = (start: string | undefined, end: string, val: number, accn: string, filed: string) => ({
  ...(start !== undefined && { start }),
  end,
  val,
  accn,
  fy: 2025,
  fp: 'Q3',
  form: '10-Q',
  filed,
})

export const COMPANY_FACTS = JSON.stringify({
  cik: 1700000,
  entityName: 'Pebble "Robotics", Inc.',
  facts: {
    dei: {},
    'us-gaap': {
      Revenues: {
        label: 'Revenues {net}',
        units: {
          USD: [
            fact('2025-01-01', '2025-03-31', 100, '0001700000-25-000001', '2025-05-01'),
            fact('2025-01-01', '2025-06-30', 210, '0001700000-25-000002', '2025-08-01'),
            fact('2025-01-01', '2025-03-31', 100, '0001700000-26-000001', '2026-05-01'),
            fact('2025-01-01', '2025-06-30', 205, '0001700000-25-000003', '2025-09-01'),
            fact('2025-01-01', '2025-12-31', 400, '0001700000-26-000002', '2026-02-01'),
          ],
          EUR: [fact('2025-01-01', '2025-03-31', 90, '0001700000-25-000001', '2025-05-01')],
        },
      },
      Assets: { units: { USD: [fact(undefined, '2025-03-31', 7, '0001700000-25-000001', '2025-05-01')] } },
    },
  },
})

export const TICKERS = JSON.stringify({
  0: { cik_str: 1700000, ticker: 'PEBL', title: 'PEBBLE ROBOTICS, INC.' },
  1: { cik_str: 1700000, ticker: 'PEBL-W', title: 'PEBBLE ROBOTICS, INC.' },
})

export const TICKERS_EXCHANGE = JSON.stringify({
  fields: ['cik', 'name', 'ticker', 'exchange'],
  data: [
    [1700000, 'Pebble Robotics, Inc.', 'PEBL', 'NYSE'],
    [1700003, 'Moss Bancorp', 'MOSS', null],
  ],
})

const atomEntry = (title: string, cik: string) => `<entry><title>${title}</title>
<link rel="alternate" href="https://www.sec.gov/Archives/edgar/data/${cik}/000123456726000042/0001234567-26-000042-index.htm"/>
<summary type="html"> &lt;b&gt;Filed:&lt;/b&gt; 2026-03-03 &lt;b&gt;AccNo:&lt;/b&gt; 0001234567-26-000042 &lt;b&gt;Size:&lt;/b&gt; 10 KB</summary>
<updated>2026-03-03T19:30:15-05:00</updated><category scheme="https://www.sec.gov/" label="form type" term="4/A"/>
<id>urn:tag:sec.gov,2008:accession-number=0001234567-26-000042</id></entry>`

export const LATEST_FILINGS = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Latest Filings</title>
${atomEntry('4/A - Quill - Ada (Jr) (0001700001) (Reporting)', '1700001')}
${atomEntry('4/A - Pebble Robotics, Inc. (0001700000) (Issuer)', '1700000')}
</feed>`

const TITLE_LINE = '-'.repeat(100)

export const FORM_INDEX = `Description:           Daily Index of EDGAR Dissemination Feed by Form Type
 
Form Type   Company Name                                                  CIK         Date Filed  File Name
${TITLE_LINE}
4/A         PEBBLE ROBOTICS  INC                                          1700000     20260303    edgar/data/1700000/0001234567-26-000042.txt         
SCHEDULE 13G/A  Quiet Capital LLC, a name that is much too long for its column of sixty  1700009     2026-03-03  edgar/data/1700009/0001234567-26-000043.txt
`

export const MASTER_INDEX = `Description:           Master Index of EDGAR Dissemination Feed

CIK|Company Name|Form Type|Date Filed|File Name
${TITLE_LINE}
1700000|PEBBLE ROBOTICS INC|4/A|2026-03-03|edgar/data/1700000/0001234567-26-000042.txt
`

/** By kind of `mintick parse`. */
export const EDGAR_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  'sec-ownership': [OWNERSHIP],
  'sec-13f': [THIRTEEN_F_TABLE, thirteenFCover({ period: '12-31-2025', signed: '02-10-2026', total: 55_000 })],
  'sec-13dg': [SCHEDULE_13G, SCHEDULE_13D_HTML],
  'sec-form-d': [FORM_D],
  'sec-144': [FORM_144],
  'sec-8k': [EIGHT_K],
  'sec-submissions': [submissions('utc'), JSON.stringify({ ...columns, acceptanceDateTime: [] })],
  'sec-companyfacts': [COMPANY_FACTS],
  'sec-tickers': [TICKERS, TICKERS_EXCHANGE],
  'sec-atom': [LATEST_FILINGS],
  'sec-index': [FORM_INDEX, MASTER_INDEX],
}
