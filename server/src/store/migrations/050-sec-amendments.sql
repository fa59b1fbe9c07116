-- What each amendment says that it replaces: a filing by its accession number, or the earlier filings of a series. The
-- replaced filings may arrive later.
create table sec_amendments (
  dataset text not null,
  amends text not null,
  accession_number text not null,
  primary key (dataset, amends, accession_number)
) {{clustered}};
