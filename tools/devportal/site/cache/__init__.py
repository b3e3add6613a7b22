"""What is kept between builds."""
