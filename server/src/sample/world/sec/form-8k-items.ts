/** The items of Form 8-K that the sample uses, with their official titles. */

export interface Item {
  code: string
  title: string
}

export const RESULTS = '2.02'
export const EXHIBITS = '9.01'

const titles: Readonly<Record<string, string>> = {
  '1.01': 'Entry into a Material Definitive Agreement',
  '1.02': 'Termination of a Material Definitive Agreement',
  '1.05': 'Material Cybersecurity Incidents',
  '2.02': 'Results of Operations and Financial Condition',
  '2.03':
    'Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a Registrant',
  '2.05': 'Costs Associated with Exit or Disposal Activities',
  '3.03': 'Material Modification to Rights of Security Holders',
  '4.02':
    'Non-Reliance on Previously Issued Financial Statements or a Related Audit Report or Completed Interim Review',
  '5.02':
    'Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers; Compensatory Arrangements of Certain Officers',
  '5.03': 'Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year',
  '5.07': 'Submission of Matters to a Vote of Security Holders',
  '7.01': 'Regulation FD Disclosure',
  '8.01': 'Other Events',
  '9.01': 'Financial Statements and Exhibits',
}

export function getItem(code: string): Item {
  const title = titles[code]
  if (title === undefined) throw new Error(`Form 8-K has no item ${code}`)
  return { code, title }
}
