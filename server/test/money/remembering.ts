import type { PaymentProcessor } from '../../src/billing/processor.ts'

/** The processor, with other answers to these questions. */
export function answering(processor: PaymentProcessor, questions: Partial<PaymentProcessor>): PaymentProcessor {
  return new Proxy(processor, {
    get(target, name) {
      if (Object.hasOwn(questions, name)) return Reflect.get(questions, name)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Asks the processor once for each object: for as long as nothing happens there, its answers stay the same. */
export function remembering(processor: PaymentProcessor): PaymentProcessor {
  const answers = new Map<string, Promise<unknown>>()
  const ask = <T>(what: string, id: string, question: () => Promise<T>): Promise<T> => {
    const key = `${what} ${id}`
    if (!answers.has(key)) answers.set(key, question())
    return answers.get(key) as Promise<T>
  }
  return answering(processor, {
    findCheckout: (id) => ask('checkout', id, () => processor.findCheckout(id)),
    findInvoice: (id) => ask('invoice', id, () => processor.findInvoice(id)),
    findSubscription: (id) => ask('subscription', id, () => processor.findSubscription(id)),
    findCheckoutOrInvoice: (id) => ask('paid', id, () => processor.findCheckoutOrInvoice(id)),
    listReversals: (id) => ask('reversals', id, () => processor.listReversals(id)),
  })
}
