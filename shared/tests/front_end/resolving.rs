//! Names become places.
use super::{check, core};
#[test]
fn try_it() {
  println!("{}", core("(define (fact n) (if (= n 0) 1 (* n (fact (- n 1))))) (fact 5)"));
  println!("{}", core("(let loop ((i 0) (acc '())) (if (= i 10) acc (loop (+ i 1) (cons i acc))))"));
  println!("{}", core("(define (f x) (define (even? n) (if (zero? n) x (odd? (- n 1)))) (define (odd? n) (if (zero? n) #f (even? (- n 1)))) (define y 3) (even? (lambda () (list (odd? 1) y))))"));
  println!("{}", core("(let ((x 1) (y 2)) (lambda (z) (lambda () (+ y x z))))"));
  println!("{}", core("(define (map f) 1) (map reverse (list 1 2))"));
  check("1","1");
}
