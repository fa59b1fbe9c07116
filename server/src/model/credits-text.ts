/** Formats credits, such as "10,000 credits". The first `toLocaleString` takes 30 ms, which would delay the start. */
export const creditsText = (credits: number): string => `${String(credits).replaceAll(/\B(?=(\d{3})+$)/g, ',')} credits`
