import type { PaymentProcessor } from '../../src/billing/processor.ts'

/** Returns the processor with some of its methods replaced. */
export function answering(processor: PaymentProcessor, questions: Partial<PaymentProcessor>): PaymentProcessor {
  return new Proxy(processor, {
    get(target, name) {
      if (Object.hasOwn(questions, name)) return Reflect.get(questions, name)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Wraps the processor with a cache. Its responses stay valid as long as nothing changes at the processor. */
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
